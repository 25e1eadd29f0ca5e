// Kernels that are given the box of their items, so that these may be any.
#include "flash.h"

#define SIDE 9

__kernel void facts(uint64_t k, __global uint64_t *at, __global uint64_t *sizes, FLASH_BLOCK) {
    FLASH_ITEMS {
        uint64_t x = global_id(0), y = global_id(1), z = global_id(2);
        uint64_t here = (z * SIDE + y) * SIDE + x;
        at[here] = at[here] * 3 + k + 10 * x + 100 * y + 1000 * z + 7 * phase() + 100000 * partition();
        sizes[here] = global_size(0) + 100 * global_size(1) + 10000 * global_size(2);
    }
}

__kernel void smoothed(__global const uint64_t *x, uint64_t n, __global uint64_t *y, FLASH_BLOCK) {
    FLASH_ITEMS {
        uint64_t i = global_id(0);
        y[i] = x[i] + (i > 0 ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0) + 1000 * partition();
    }
}

__kernel void wide(__global uint32_t *x, FLASH_BLOCK) {
    FLASH_ITEMS {
        uint64_t at = 0;
        for (int d = 4; d >= 0; d--) at = at * global_size(d) + global_id(d);
        x[at] += 1 + (uint32_t)at;
    }
}

__kernel void sizes(__global uint32_t *x, FLASH_BLOCK) {
    FLASH_ITEMS { x[global_id(0)] = get_local_size(0) + 1000 * get_num_groups(0); }
}

// The same of the rows of a table.
#define NOTE(at, sizes, x, y, z)                                                                      \
    {                                                                                                 \
        uint64_t here = ((z) * SIDE + (y)) * SIDE + (x);                                              \
        const flash_block *block = &flash_block_;                                                     \
        at[here] = at[here] * 3 + k + 10 * (x) + 100 * (y) + 1000 * (z) + 7 * phase() +               \
                   100000 * partition();                                                              \
        sizes[here] = global_size(0) + 100 * global_size(1) + 10000 * global_size(2);                 \
    }
#define COLUMNS(name, type)                                                                           \
    __kernel void name(uint64_t k, __global uint64_t *at, __global uint64_t *sizes,                         \
                     FLASH_INDICES(type, ind, n), FLASH_BLOCK) {                                      \
        uint64_t i = FLASH_ITEM;                                                                      \
        if (i < n) NOTE(at, sizes, (uint64_t)ind[i], (uint64_t)ind[n + i], (uint64_t)ind[2 * n + i])  \
    }
#define ROWS(name, type)                                                                              \
    __kernel void name(uint64_t k, __global uint64_t *at, __global uint64_t *sizes,                         \
                     FLASH_INDICES(type, ind, n), FLASH_BLOCK) {                                      \
        uint64_t i = FLASH_ITEM;                                                                      \
        if (i < n) NOTE(at, sizes, (uint64_t)ind[3 * i], (uint64_t)ind[3 * i + 1], (uint64_t)ind[3 * i + 2]) \
    }
COLUMNS(columns, uint32_t)
COLUMNS(wide_columns, uint64_t)
ROWS(rows, uint32_t)
ROWS(wide_rows, uint64_t)

// What was written for a table, without FLASH.
__kernel void listed(__global uint *x, __global const uint *ind, uint n) {
    uint item = get_global_id(0);
    if (item < n) x[((ind[3 * n + item] * 3 + ind[2 * n + item]) * 2 + ind[n + item]) * 7 + ind[item]] += 1 + item;
}
