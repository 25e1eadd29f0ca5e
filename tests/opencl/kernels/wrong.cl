// Kernels that are not what their declarations say, each in one argument.
__kernel void too_few(const float a, __global const float *x) {}
__kernel void too_many(const float a, __global const float *x, __global float *y, int n) {}
__kernel void other_value(const int a, __global const float *x, __global float *y) {}
__kernel void other_element(const float a, __global const double *x, __global float *y) {}
__kernel void pointer_for_value(__global float *a, __global const float *x, __global float *y) {}
__kernel void value_for_pointer(const float a, const float x, __global float *y) {}
__kernel void only_reads(const float a, __global const float *x, __global const float *y) {}
__kernel void local_array(const float a, __local float *x, __global float *y) {}
__kernel void constant_output(const float a, __global const float *x, __constant float *y) {}
__kernel void shares(const float a, __global const float *x, __global float *y, __local float *z) {}
__kernel void short_length(const float a, __global const float *x, __global float *y, short n) {}
__kernel void array_for_length(const float a, __global const float *x, __global float *y, __global uint *n) {}

#include "flash.h"
// More dimensions than a block has.
__kernel void nine(float a, __global const float *x, __global float *y, FLASH_BLOCK) {
    y[FLASH_ITEM] = a * x[FLASH_ITEM];
}
