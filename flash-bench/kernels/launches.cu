// Launches that are all overhead: each item changes a cell, so that one that is missing is seen.
extern "C" __global__ void step(unsigned *y, unsigned long long n) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] += 1;
}
