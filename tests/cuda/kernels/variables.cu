// Kernels of tests that read variables of their file, or whose blocks wait for each other.
struct Line {
    float slope;
    int offset;
    double scale;
};

__constant__ float weights[5];
__constant__ Line line;
__device__ unsigned long long count;
__device__ int factor;

extern "C" __global__ void weighted(const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (unsigned k = 0; k < 5; k++) {
        sum += weights[k] * x[(i + k) % unsigned(count)];
    }
    y[i] = sum;
}

extern "C" __global__ void on_line(const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = float(line.scale * double(line.slope * x[i] + float(line.offset))) * float(factor);
}

// Reads what all other blocks have written, once all of them have.
extern "C" __global__ void turned(unsigned *arrived, const unsigned *x, unsigned *middle, unsigned *y) {
    unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    middle[i] = 3 * x[i] + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) {
        }
    }
    __syncthreads();
    y[i] = ((volatile unsigned *)middle)[n - 1 - i];
}
