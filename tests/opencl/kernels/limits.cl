// Kernels that are as large as a device takes, or larger.
#include "flash.h"

// How many items a work-group has along the last dimension.
__kernel void along(__global uint *x) {
    const size_t row = get_global_id(2) * get_global_size(1) + get_global_id(1);
    x[row * get_global_size(0) + get_global_id(0)] = get_local_size(2);
}

__kernel void along_filled(__global uint *x, FLASH_BLOCK) {
    FLASH_ITEMS {
        uint64_t row = global_id(2) * global_size(1) + global_id(1);
        x[row * global_size(0) + global_id(0)] = get_local_size(2);
    }
}

typedef struct {
    float of[400];
} weights;

__kernel void weighed(const weights by, __global float *x) {
    const size_t i = get_global_id(0);
    x[i] *= by.of[i];
}
