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

// The same of parameters of other kinds.
__kernel void cells_that_are_read(__global const uint *cells) {}
__kernel void cells_of_another_type(__global float *cells) {}
__kernel void truth_of_four_bytes(const int is_so, __global float *y) {}
__kernel void narrow_value(const int n, __global float *y) {}
__kernel void narrow_lengths(__global float *y, uint n, char m) {}
__kernel void rows_of_two_bytes(__global float *y, __global const uint *ind, ushort n) {}
__kernel void local_table(__global float *y, __local const uint *ind, uint n) {}

typedef struct {
    float slope;
    uint offset;
    double scale;
} line;
__kernel void of_another_line(const line by, __global float *y) {}
__kernel void scalar_for_line(const float by, __global float *y) {}
__kernel void pointer_to_line(__global const line *by, __global float *y) {}
