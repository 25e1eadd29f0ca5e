// Kernels of tests, which were written without FLASH.
extern "C" __global__ void saxpy(float a, const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void saxpy_guarded(float a, const float *__restrict__ x, float *__restrict__ y,
                                         unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

namespace numbers {
template <class T, int By> __global__ void shifted(const T *x, T *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + T(By);
}
} // namespace numbers

extern "C" __global__ void transpose(const unsigned *x, unsigned *out, unsigned long long n,
                                     unsigned long long m) {
    unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long j = blockIdx.y * blockDim.y + threadIdx.y;
    out[j * n + i] = x[i * m + j];
}

struct Line {
    float slope;
    int offset;
    double scale;
};

extern "C" __global__ void on_line(Line line, const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = float(line.scale * double(line.slope * x[i] + float(line.offset)));
}

extern "C" __global__ void block_sums(const unsigned *x, unsigned *sums) {
    extern __shared__ unsigned parts[];
    unsigned k = threadIdx.x;
    parts[k] = x[blockIdx.x * blockDim.x + k];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (k < half) {
            parts[k] += parts[k + half];
        }
        __syncthreads();
    }
    if (k == 0) {
        sums[blockIdx.x] = parts[0];
    }
}

extern "C" __global__ void reversed(const float4 *x, float4 *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = x[i];
    y[i] = make_float4(v.w, v.z, v.y, v.x);
}

extern "C" __global__ void __launch_bounds__(64) bounded(float a, const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void squared(const float2 *x, float2 *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = make_float2(x[i].x * x[i].x - x[i].y * x[i].y, 2 * x[i].x * x[i].y);
}

extern "C" __global__ void bits(const unsigned short *x, unsigned short *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] ^ 0x8000;
}

extern "C" __global__ void swapped(const double2 *x, double2 *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = make_double2(x[i].y, x[i].x);
}

extern "C" __global__ void conjugated(double2 by, const double2 *x, double2 *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = make_double2(by.x + x[i].x, by.y - x[i].y);
}

// As the headers of CUDA have them, which are not at hand everywhere.
struct __half {
    unsigned short bits;
};

struct __nv_bfloat16 {
    unsigned short bits;
};

extern "C" __global__ void negated_halves(const __half *x, __half *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i].bits = x[i].bits ^ 0x8000;
}

extern "C" __global__ void filled(__nv_bfloat16 a, const unsigned short *x, __nv_bfloat16 *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i].bits = x[i] == 0 ? a.bits : x[i];
}
