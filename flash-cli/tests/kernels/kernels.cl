// Written for any host: nothing of FLASH is in it.
__kernel void saxpy(const float a, __global const float *x, __global float *y) {
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

#ifndef N
#define N 1
#endif

__kernel void scaled(__global const int *x, __global int *y) {
    y[get_global_id(0)] = N * x[get_global_id(0)];
}

__kernel void transpose(__global const uint *x, __global uint *out, const ulong n, const ulong m) {
    const size_t i = get_global_id(0);
    const size_t j = get_global_id(1);
    out[j * n + i] = x[i * m + j];
}
