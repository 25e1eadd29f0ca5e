// c = a b of square matrices: a block has a tile of 64 by 64 sums, four by four for each thread, and
// reads both factors through shared memory.
#define SIDE 64
#define DEEP 16
#define EACH 4

extern "C" __global__ void multiply(const float *__restrict__ a, const float *__restrict__ b,
                                    float *__restrict__ c, unsigned long long n) {
    __shared__ float left[DEEP][SIDE + 4], right[DEEP][SIDE];
    unsigned x = threadIdx.x % (SIDE / EACH), y = threadIdx.x / (SIDE / EACH);
    unsigned long long row = blockIdx.y * (unsigned long long)SIDE;
    unsigned long long column = blockIdx.x * (unsigned long long)SIDE;
    float sum[EACH][EACH] = {};
    for (unsigned long long begin = 0; begin < n; begin += DEEP) {
        for (unsigned k = threadIdx.x; k < SIDE * DEEP; k += blockDim.x) {
            unsigned long long j = row + k / DEEP, l = begin + k % DEEP;
            left[k % DEEP][k / DEEP] = j < n && l < n ? a[j * n + l] : 0.0f;
            unsigned long long m = begin + k / SIDE, i = column + k % SIDE;
            right[k / SIDE][k % SIDE] = m < n && i < n ? b[m * n + i] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEEP; k++)
            for (int r = 0; r < EACH; r++)
                for (int s = 0; s < EACH; s++)
                    sum[r][s] += left[k][y * EACH + r] * right[k][x * EACH + s];
        __syncthreads();
    }
    for (int r = 0; r < EACH; r++)
        for (int s = 0; s < EACH; s++) {
            unsigned long long j = row + y * EACH + r, i = column + x * EACH + s;
            if (j < n && i < n) c[j * n + i] = sum[r][s];
        }
}
