/* FLASH kernels for the CPU from a shared library: the C interface, version 1.
 *
 *     #include "flash.h"
 *     FLASH_MODULE
 *
 *     // y <- a x + y, declared in Rust as `fn saxpy(a: f32, x: &[f32], y: &mut [f32])`
 *     FLASH_KERNEL(saxpy, "value f32, in f32[1], io f32[1]") {
 *         float a = FLASH_VALUE(0, float);
 *         const float *x = FLASH_POINTER(1, const float);
 *         float *y = FLASH_POINTER(2, float);
 *         for (uint64_t i = block->lo[0]; i < block->hi[0]; i++) y[i] = a * x[i] + y[i];
 *     }
 *
 *     cc -O3 -march=native -shared -fPIC saxpy.c -o saxpy.so
 *
 * A kernel is called for boxes of work items that together are the index space, each item once, on
 * several threads at once. It may write what the items of its box own and nothing else, must not
 * unwind, longjmp or end the thread, and may keep no pointer after it returns.
 */
#ifndef FLASH_H
#define FLASH_H

#include <stdint.h>

#define FLASH_ABI_VERSION 1u
#define FLASH_MAX_RANK 8
#define FLASH_MAX_ARRAY_RANK 4

/* A box of work items, half open; dimension 0 is the fastest. */
typedef struct flash_block {
    uint32_t rank;                  /* of the index space */
    uint32_t reserved;
    uint64_t partial;               /* number of the box in a kernel with reductions */
    uint64_t lo[FLASH_MAX_RANK];    /* first index of each dimension; 0 beyond the rank */
    uint64_t hi[FLASH_MAX_RANK];    /* its end; 1 beyond the rank */
    uint64_t size[FLASH_MAX_RANK];  /* extents of the whole index space; 1 beyond the rank */
} flash_block;

/* An array. The element with the global index i[] is base[sum over d of (i[d] - origin[d]) *
 * stride[d]], counted in elements; the last dimension is the fastest. For a reduction: one element
 * for each box, of which the kernel writes number `block->partial`. */
typedef struct flash_array {
    void *base;                              /* the element at `origin` */
    uint64_t shape[FLASH_MAX_ARRAY_RANK];    /* of the whole array */
    int64_t stride[FLASH_MAX_ARRAY_RANK];    /* in elements */
    uint64_t origin[FLASH_MAX_ARRAY_RANK];   /* index of the first element held */
    uint64_t held[FLASH_MAX_ARRAY_RANK];     /* number of elements held */
    uint32_t rank;
    uint32_t reserved;
} flash_array;

/* A value, passed by address. */
typedef struct flash_scalar {
    const void *value;
} flash_scalar;

enum { FLASH_SCALAR = 0, FLASH_ARRAY = 1 };

/* One argument, in the order of the declaration in Rust. */
typedef struct flash_arg {
    uint32_t kind;                  /* FLASH_SCALAR or FLASH_ARRAY */
    uint32_t reserved;
    union {
        flash_scalar scalar;
        flash_array array;
    } as;
} flash_arg;

typedef void flash_kernel(const flash_block *block, const flash_arg *args, uint64_t n_args);

#ifdef __cplusplus
#define FLASH_EXPORT extern "C" __attribute__((visibility("default")))
#define FLASH_CONSTANT FLASH_EXPORT extern const
#else
#define FLASH_EXPORT __attribute__((visibility("default")))
#define FLASH_CONSTANT FLASH_EXPORT const
#endif

/* Once in each library: the version it was compiled for. */
#define FLASH_MODULE FLASH_CONSTANT uint32_t flash_abi_version = FLASH_ABI_VERSION;

/* The head of a kernel. The signature is compared with the declaration when the kernel is loaded:
 * `value`, `in`, `io`, `out`, `scratch`, `reduce` or `atomic`, the type, and for arrays the rank. */
#define FLASH_KERNEL(name, signature)                                                             \
    FLASH_CONSTANT char name##_flash_signature[] = signature;                                     \
    FLASH_EXPORT void name(const flash_block *block, const flash_arg *args, uint64_t n_args);     \
    FLASH_EXPORT void name(const flash_block *block, const flash_arg *args, uint64_t n_args)

/* Inside a kernel: the value of argument k, and the pointer to the element 0 of a contiguous array
 * that is held as a whole (as arrays in host memory are, unless a view was passed). */
#define FLASH_VALUE(k, type) (*(const type *)args[k].as.scalar.value)
#define FLASH_POINTER(k, type) ((type *)args[k].as.array.base)
#define FLASH_LENGTH(k) (args[k].as.array.shape[0])

#endif
