extern "C" __global__ void ints(const long long* x, const long long* y, long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; long long a = x[i], b = y[i]; int c = a, d = b; unsigned e = a, f = b; long long* p = o + i * 32; int k = 0;
    p[k++] = a * b; p[k++] = b ? a / b : 0; p[k++] = b ? a % b : 0; p[k++] = __mul64hi(a, b); p[k++] = __umul64hi(a, b); p[k++] = c * (long long)d; p[k++] = __mulhi(c, d); p[k++] = f ? e / f : 0; p[k++] = f ? e % f : 0; p[k++] = a >> (b & 63); p[k++] = (unsigned long long)a >> (b & 63); p[k++] = a << (b & 63);
    p[k++] = __popcll(a); p[k++] = __clzll(a); p[k++] = __brev(e); p[k++] = __brevll(a); p[k++] = __byte_perm(e, f, 0x7215); p[k++] = __funnelshift_l(e, f, d); p[k++] = __funnelshift_rc(e, f, d); p[k++] = __ffs(c); p[k++] = __sad(c, d, e); p[k++] = min(a, b); p[k++] = max(e, f); p[k++] = abs(c); p[k++] = (short)a * (short)b; p[k++] = (signed char)a; p[k++] = (unsigned char)a + (unsigned short)b; p[k++] = __dp4a(c, d, c); p[k++] = __vadd4(e, f); p[k++] = __usad(e, f, 3u); p[k++] = __fns(e, 0, 3); p[k++] = __rhadd(c, d);
}
extern "C" __global__ void atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d, int* old) {
    int t = threadIdx.x;
    atomicAdd(i, t); atomicSub(i + 1, t); atomicMin(i + 2, t - 5); atomicMax(i + 3, t); atomicAnd(u, ~(1u << (t & 31))); atomicOr(u + 1, 1u << (t & 31)); atomicXor(u + 2, t); atomicInc(u + 3, 10); atomicDec(u + 4, 10);
    atomicAdd(l, (unsigned long long)t); atomicMax(l + 1, (unsigned long long)t); atomicAdd(f, 0.5f); atomicAdd(d, 0.25); atomicCAS(l + 2, (unsigned long long)t, (unsigned long long)t + 1); old[t] = atomicExch(i + 4, t); atomicAdd_block(i + 5, 1); atomicAdd_system(i + 6, 2);
}
