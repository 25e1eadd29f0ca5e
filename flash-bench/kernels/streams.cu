// Kernels limited by memory, as somebody writes them who knows the device: Triad moves 16 bytes at a
// time. The lengths of these are even.
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y,
                                 unsigned long long n) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void triad(double s, const double2 *__restrict__ b,
                                 const double2 *__restrict__ c, double2 *__restrict__ a,
                                 unsigned long long pairs) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < pairs) {
        double2 x = b[i], y = c[i];
        a[i] = make_double2(x.x + s * y.x, x.y + s * y.y);
    }
}
