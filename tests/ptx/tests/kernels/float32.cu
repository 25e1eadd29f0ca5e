extern "C" __global__ void exact(const float* x, const float* y, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i], b = y[i]; float* p = o + i * 24; int k = 0;
    p[k++] = a + b; p[k++] = a / b; p[k++] = sqrtf(a); p[k++] = floorf(a); p[k++] = ceilf(a); p[k++] = truncf(a); p[k++] = rintf(a); p[k++] = roundf(a);
    p[k++] = fminf(a, b); p[k++] = fmaxf(a, b); p[k++] = fabsf(a); p[k++] = copysignf(a, b); p[k++] = __frcp_rn(a); p[k++] = __fmaf_rn(a, b, a);
    p[k++] = (float)(int)a; p[k++] = __saturatef(a); p[k++] = fmodf(a, b); p[k++] = (float)(unsigned char)(int)a; p[k++] = __int_as_float(__float2int_ru(a)); p[k++] = (float)(long long)a; p[k++] = a < b ? a : b; p[k++] = (float)((double)a * b); p[k++] = __int2float_rz(__float_as_int(a)); p[k++] = __fadd_rd(a, b);
}
extern "C" __global__ void near(const float* x, const float* y, float* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i], b = y[i]; float* p = o + i * 14; int k = 0;
    p[k++] = rsqrtf(a); p[k++] = expf(a); p[k++] = logf(a); p[k++] = tanhf(a); p[k++] = exp2f(a); p[k++] = log2f(a); p[k++] = cbrtf(a); p[k++] = hypotf(a, b);
    p[k++] = __expf(b); p[k++] = __sinf(b); p[k++] = atan2f(a, b); p[k++] = erff(b); p[k++] = sinf(b); p[k++] = powf(a, b);
}
