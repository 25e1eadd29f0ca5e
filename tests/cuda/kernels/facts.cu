// Kernels that are given the box of their items, so that these may be any.
#include "flash.h"

#define SIDE 9

extern "C" __global__ void facts(uint64_t k, uint64_t *at, uint64_t *sizes, FLASH_BLOCK) {
    FLASH_ITEMS {
        uint64_t x = global_id(0), y = global_id(1), z = global_id(2);
        uint64_t here = (z * SIDE + y) * SIDE + x;
        at[here] = at[here] * 3 + k + 10 * x + 100 * y + 1000 * z + 7 * phase() + 100000 * partition();
        sizes[here] = global_size(0) + 100 * global_size(1) + 10000 * global_size(2);
    }
}

extern "C" __global__ void smoothed(const uint64_t *x, uint64_t n, uint64_t *y, FLASH_BLOCK) {
    FLASH_ITEMS {
        uint64_t i = global_id(0);
        y[i] = x[i] + (i > 0 ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0) + 1000 * partition();
    }
}

extern "C" __global__ void wide(uint32_t *x, FLASH_BLOCK) {
    FLASH_ITEMS {
        uint64_t at = 0;
        for (int d = 4; d >= 0; d--) at = at * global_size(d) + global_id(d);
        x[at] += 1 + (uint32_t)at;
    }
}

// The threads of a block that is asked for.
extern "C" __global__ void threads(uint32_t *x, FLASH_BLOCK) {
    FLASH_ITEMS { x[global_id(0)] = blockDim.x + 1000 * gridDim.x; }
}

// Those that are not told, or at another place.
extern "C" __global__ void plain(const uint64_t *x, uint64_t *y) {
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}

extern "C" __global__ void misplaced(FLASH_BLOCK, const uint64_t *x, uint64_t *y) {
    FLASH_ITEMS { y[global_id(0)] = x[global_id(0)]; }
}
