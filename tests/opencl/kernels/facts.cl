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
