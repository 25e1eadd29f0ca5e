// Line 2 is where it goes wrong.
__kernel void saxpy(const float a, __global const float *x, __global float *y) { y[0] = b; }
