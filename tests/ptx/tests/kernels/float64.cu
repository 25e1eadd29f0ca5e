extern "C" __global__ void doubles(const double* x, const double* y, double* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = x[i], b = y[i]; double* p = o + i * 16; int k = 0;
    p[k++] = a + b; p[k++] = a / b; p[k++] = sqrt(a); p[k++] = fma(a, b, a); p[k++] = floor(a); p[k++] = rint(a); p[k++] = fmin(a, b); p[k++] = fmax(a, b);
    p[k++] = (double)(long long)a; p[k++] = (double)(float)a; p[k++] = (double)(unsigned)a; p[k++] = exp(b); p[k++] = log(a); p[k++] = cbrt(a); p[k++] = rsqrt(a); p[k++] = __dadd_rz(a, b);
}
