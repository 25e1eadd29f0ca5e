#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void halves(const float* x, const float* y, __half* o, __nv_bfloat16* q, float* r) {
    int i = threadIdx.x; __half a = __float2half(x[i]), b = __float2half(y[i]); __half* p = o + 16 * i; int k = 0;
    p[k++] = a + b; p[k++] = a * b; p[k++] = a / b; p[k++] = __hfma(a, b, a); p[k++] = hsqrt(a); p[k++] = hexp(a); p[k++] = __hmin(a, b); p[k++] = __hmax(a, b); p[k++] = -a; p[k++] = __habs(a); p[k++] = __int2half_rn((int)x[i]); p[k++] = hfloor(a); p[k++] = a < b ? a : b; p[k++] = a - b;
    __half2 h = __halves2half2(a, b), g = __hadd2(h, h); p[k++] = __low2half(g); p[k++] = __high2half(__hfma2(g, h, g));
    __nv_bfloat16 c = __float2bfloat16(x[i]), d = __float2bfloat16(y[i]); q[4*i] = c + d; q[4*i+1] = c * d; q[4*i+2] = __hfma(c, d, c); q[4*i+3] = __hmax(c, d);
    r[i] = __half2float(a) + __bfloat162float(d) + (float)(int)__half2int_rz(a);
}
