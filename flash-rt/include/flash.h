/* FLASH kernels in C: the C interface of kernels from shared libraries, version 2, and the same
 * names for index facts in OpenCL C and CUDA C.
 *
 *     #include "flash.h"
 *     FLASH_MODULE
 *
 *     // y <- a x + y, declared in Rust as `fn saxpy(a: f32, x: &[f32], y: &mut [f32])`
 *     FLASH_KERNEL(saxpy, "value f32, in f32[1], io f32[1]") {
 *         float a = FLASH_VALUE(0, float);
 *         const float *x = FLASH_POINTER(1, const float);
 *         float *y = FLASH_POINTER(2, float);
 *         FLASH_ITEMS {
 *             uint64_t i = global_id(0);
 *             y[i] = a * x[i] + y[i];
 *         }
 *     }
 *
 *     cc -O3 -march=native -shared -fPIC saxpy.c -o saxpy.so
 *
 * A kernel is called for boxes of work items that together are the index space, each item once, on
 * several threads at once. It may write what the items of its box own and nothing else, must not
 * unwind, longjmp or end the thread, and may keep no pointer after it returns.
 *
 * Where a launch has phases or is split, the boxes of one phase have all been done before the first
 * of the next begins, and the ids are those of the whole index space.
 *
 * What an item knows has the names that it has in a Rust body:
 *
 *     global_id(d)     its index in dimension d, from 0; inside of FLASH_ITEMS { .. }
 *     global_size(d)   the number of indices of dimension d in the whole index space
 *     phase()          the number of the phase, from 0
 *     partition()      the number of the part, from 0, where a launch is split
 *
 * Define FLASH_LONG_NAMES before the header to have them as flash_global_id(d) and so on only.
 *
 * OpenCL C and CUDA C: the last parameter of a kernel is FLASH_BLOCK, and FLASH_ITEMS { .. } is the
 * item of the thread, or nothing beyond the last one. One work item or thread runs one item; those
 * of dimensions 2 and above are dimension z.
 *
 *     __kernel void saxpy(float a, __global const float *x, __global float *y, FLASH_BLOCK) {
 *         FLASH_ITEMS { uint64_t i = global_id(0); y[i] = a * x[i] + y[i]; }
 *     }
 *
 * Where the declaration says `index_table`, FLASH_INDICES(type, ind, n) comes behind the parameters
 * of the declaration and before FLASH_BLOCK, which may then be left out: `ind` is the table of the
 * ids of `n` items, of which a thread runs number FLASH_ITEM, if there is one.
 *
 *     FLASH_INDICES(uint32_t, ind, n)  FLASH_ITEM < n: ind[d * n + FLASH_ITEM]
 *     index_table(items), of rank 3                    ind[FLASH_ITEM * 3 + d]
 *     index_table(u64)                                 FLASH_INDICES(uint64_t, ind, n)
 */
#ifndef FLASH_H
#define FLASH_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define FLASH_OPENCL 1
typedef int int32_t;
typedef long int64_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#define FLASH_FUNCTION static inline
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define FLASH_CUDA 1
#if defined(__CUDACC_RTC__)
typedef int int32_t;
typedef long long int64_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif
#define FLASH_FUNCTION static __device__ __forceinline__
#else
#include <stdint.h>
#define FLASH_FUNCTION static inline
#endif

#define FLASH_ABI_VERSION 2u
#define FLASH_MAX_RANK 8
#define FLASH_MAX_ARRAY_RANK 4

/* A box of work items, half open; dimension 0 is the fastest. */
typedef struct flash_block {
    uint32_t rank;                  /* of the index space */
    uint32_t index_bytes;           /* of an index in the table, 4 or 8; 0 without a table */
    uint32_t by_item;               /* whether the table is ind[item][d]; else it is ind[d][item] */
    uint32_t reserved;
    uint64_t partial;               /* number of the box in a kernel with reductions */
    uint64_t phase;                 /* number of the phase, from 0 */
    uint64_t partition;             /* number of the part of a launch that is split, from 0 */
    uint64_t n_items;               /* the number of items */
#if defined(FLASH_OPENCL)
    uint64_t table;                 /* none: see FLASH_INDICES */
#else
    const void *table;              /* where the declaration says `index_table`; see FLASH_TABLE */
#endif
    uint64_t lo[FLASH_MAX_RANK];    /* first index of each dimension; 0 beyond the rank */
    uint64_t hi[FLASH_MAX_RANK];    /* its end; 1 beyond the rank */
    uint64_t size[FLASH_MAX_RANK];  /* extents of the whole index space; 1 beyond the rank */
} flash_block;

/* A line of items along dimension 0; of a device, one item. */
typedef struct flash_line {
    uint64_t id[FLASH_MAX_RANK];
    uint32_t is_there;
} flash_line;

#define flash_global_id(d) ((d) == 0 ? flash_x_ : flash_line_.id[d])
#define flash_global_size(d) (block->size[d])
#define flash_phase() (block->phase)
#define flash_partition() (block->partition)
#ifndef FLASH_LONG_NAMES
#define global_id(d) flash_global_id(d)
#define global_size(d) flash_global_size(d)
#define phase() flash_phase()
#define partition() flash_partition()
#endif

#if defined(FLASH_OPENCL) || defined(FLASH_CUDA)

/* The item number x, y, z of a box, or none. */
FLASH_FUNCTION flash_line flash_item_at(const flash_block *block, uint64_t x, uint64_t y, uint64_t z) {
    flash_line item;
    item.id[0] = block->lo[0] + x;
    item.id[1] = block->lo[1] + y;
    item.is_there = item.id[0] < block->hi[0] && item.id[1] < block->hi[1];
    for (int d = 2; d < FLASH_MAX_RANK; d++) {
        uint64_t n = block->hi[d] - block->lo[d];
        item.id[d] = n > 0 ? block->lo[d] + z % n : 0;
        z = n > 0 ? z / n : 1;
    }
    item.is_there = item.is_there && z == 0;
    return item;
}

#define FLASH_BLOCK const flash_block flash_block_
#define FLASH_ITEM FLASH_X
#ifdef FLASH_OPENCL
#define FLASH_INDICES(type, ind, n) __global const type *ind, uint64_t n
#define FLASH_X get_global_id(0)
#define FLASH_Y get_global_id(1)
#define FLASH_Z get_global_id(2)
#else
#define FLASH_INDICES(type, ind, n) const type *ind, uint64_t n
#define FLASH_X ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x)
#define FLASH_Y ((uint64_t)blockIdx.y * blockDim.y + threadIdx.y)
#define FLASH_Z ((uint64_t)blockIdx.z * blockDim.z + threadIdx.z)
#endif
#define FLASH_ITEMS                                                                               \
    for (const flash_block *block = &flash_block_; block; block = 0)                              \
        for (flash_line flash_line_ = flash_item_at(block, FLASH_X, FLASH_Y, FLASH_Z);            \
             flash_line_.is_there; flash_line_.is_there = 0)                                      \
            for (uint64_t flash_x_ = flash_line_.id[0], flash_end_ = flash_x_ + 1;                \
                 flash_x_ < flash_end_; flash_x_++)

#else

/* The first line of a box, and the one after another. */
FLASH_FUNCTION flash_line flash_first_line(const flash_block *block) {
    flash_line line;
    for (int d = 0; d < FLASH_MAX_RANK; d++) line.id[d] = block->lo[d];
    line.is_there = block->n_items > 0;
    return line;
}

FLASH_FUNCTION void flash_next_line(const flash_block *block, flash_line *line) {
    for (uint32_t d = 1; d < block->rank; d++) {
        if (++line->id[d] < block->hi[d]) return;
        line->id[d] = block->lo[d];
    }
    line->is_there = 0;
}

/* All items of the box, dimension 0 in the inner one of two loops: leave it by `return` or go on by
 * `continue`, a `break` leaves a line only. */
#define FLASH_ITEMS                                                                               \
    for (flash_line flash_line_ = flash_first_line(block); flash_line_.is_there;                  \
         flash_next_line(block, &flash_line_))                                                    \
        for (uint64_t flash_x_ = block->lo[0], flash_end_ = block->hi[0];                         \
             flash_x_ < flash_end_; flash_x_++)

/* The table of indices that `index_table` asks for: the ids of the items of a call, numbered from 0
 * to n_items in no order that may be relied on. The items are then not all of a box, which is the
 * smallest one around them: such a kernel goes through the rows of the table and not FLASH_ITEMS.
 *
 *     FLASH_TABLE(uint32_t)[d][item]             index_table, index_table(dimensions)
 *     FLASH_TABLE_OF_ITEMS(uint32_t, 3)[item][d] index_table(items), of a space of rank 3
 *     flash_index(block, d, item)                either, of either type
 *
 * Indices are uint32_t where all ids of the launch fit and else uint64_t, or what `index_table(u32)`
 * or `index_table(u64)` says. */
#define FLASH_TABLE(type) ((const type *const *)block->table)
#define FLASH_TABLE_OF_ITEMS(type, rank) ((const type(*)[rank])block->table)

FLASH_FUNCTION uint64_t flash_index(const flash_block *block, uint32_t d, uint64_t item) {
    if (block->by_item) {
        uint64_t at = item * block->rank + d;
        return block->index_bytes == 4 ? ((const uint32_t *)block->table)[at]
                                       : ((const uint64_t *)block->table)[at];
    }
    return block->index_bytes == 4 ? FLASH_TABLE(uint32_t)[d][item] : FLASH_TABLE(uint64_t)[d][item];
}

/* An array. The element with the global index i[] is base[sum over d of (i[d] - origin[d]) *
 * stride[d]], counted in elements; the last dimension is the fastest. Of a launch that is split only
 * a box may be held. For a reduction: one element for each box, of which the kernel writes number
 * `block->partial`. */
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
#define FLASH_CONSTANT FLASH_EXPORT const
#else
#define FLASH_EXPORT __attribute__((visibility("default")))
#define FLASH_CONSTANT FLASH_EXPORT const
#endif

/* A kernel of a library, for kernels that are declared `searchable`. */
typedef struct flash_kernel_entry {
    const char *name;
    const char *signature;
    const struct flash_kernel_entry *next;
} flash_kernel_entry;

#ifdef __cplusplus
extern "C"
#else
extern
#endif
__attribute__((visibility("hidden"))) const flash_kernel_entry *flash_kernels;

/* Once in each library: the version it was compiled for, and its kernels. */
#define FLASH_MODULE                                                                              \
    FLASH_CONSTANT uint32_t flash_abi_version = FLASH_ABI_VERSION;                                \
    const flash_kernel_entry *flash_kernels = 0;                                                  \
    FLASH_EXPORT const flash_kernel_entry *flash_kernel_list(void);                               \
    FLASH_EXPORT const flash_kernel_entry *flash_kernel_list(void) { return flash_kernels; }

/* The head of a kernel. The signature is compared with the declaration when the kernel is loaded:
 * `value`, `in`, `io`, `out`, `scratch`, `reduce` or `atomic`, the type, and for arrays the rank. */
#define FLASH_KERNEL(name, signature)                                                             \
    FLASH_CONSTANT char name##_flash_signature[] = signature;                                     \
    __attribute__((constructor)) static void name##_flash_entry(void) {                           \
        static flash_kernel_entry entry = { #name, name##_flash_signature, 0 };                   \
        entry.next = flash_kernels;                                                               \
        flash_kernels = &entry;                                                                   \
    }                                                                                             \
    FLASH_EXPORT void name(const flash_block *block, const flash_arg *args, uint64_t n_args);     \
    FLASH_EXPORT void name(const flash_block *block, const flash_arg *args, uint64_t n_args)

/* Where the element 0 of an array would be: its elements have the same index from there whether all
 * of it or a box is held. */
FLASH_FUNCTION void *flash_element_0(const flash_array *array, uint64_t size) {
    int64_t before = 0;
    for (uint32_t d = 0; d < array->rank; d++) before += (int64_t)array->origin[d] * array->stride[d];
    return (void *)((uintptr_t)array->base - (uintptr_t)before * size);
}

/* Inside a kernel: the value of argument k, and the pointer to the element 0 of an array without
 * gaps (as arrays in host memory are, unless a view was passed). */
#define FLASH_VALUE(k, type) (*(const type *)args[k].as.scalar.value)
#define FLASH_POINTER(k, type) ((type *)flash_element_0(&args[k].as.array, sizeof(type)))
#define FLASH_LENGTH(k) (args[k].as.array.shape[0])

#endif
#endif
