// What it takes in and what is defined say by how much.
#include <factor.h>
#ifndef MORE
#define MORE 0
#endif

extern "C" __global__ void scaled(const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = FACTOR * x[i] + float(MORE);
}
