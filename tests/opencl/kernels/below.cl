// Line 9 is where it goes wrong, whatever `flash.h` puts before it.
#define ONE 1.0f
#include "flash.h"

__kernel void saxpy(const float a, __global const float *x, __global float *y, FLASH_BLOCK)
{
    FLASH_ITEMS {
        uint64_t i = global_id(0);
        y[i] = a * x[i] + ONE * below;
    }
}
