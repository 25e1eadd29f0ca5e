struct Body { float x, y, z, m; double w; char tag; };
__constant__ float table[4] = {1.5f, 2.5f, 3.5f, 4.5f};
__device__ int counter = 7;
__device__ int* pointer = &counter;
__device__ double grid_of[3][2] = {{1,2},{3,4},{5,6}};
__noinline__ __device__ float helper(Body b, int k) { return b.x * k + table[k & 3] + (float)b.w; }
__noinline__ __device__ Body change(const Body& b, float by) { Body r = b; r.x += by; r.tag = 'q'; return r; }
typedef float (*Fn)(float);
__device__ __noinline__ float twice(float x) { return 2 * x; }
__device__ __noinline__ float third(float x) { return x / 3; }
__device__ Fn fns[2] = { twice, third };
extern "C" __global__ void by_value(Body b, int n, float* out, Body* outs) {
    int i = threadIdx.x;
    if (i < n) { out[i] = helper(b, i); outs[i] = change(b, i); atomicAdd(&counter, i); }
}
extern "C" __global__ void indirect(float* out, int n) { int i = threadIdx.x; if (i < n) out[i] = fns[i & 1](out[i]); }
extern "C" __global__ void switches(const int* op, const int* x, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = x[i];
    switch (op[i]) {
        case 0: v += 3; break;
        case 1: v *= 5; break;
        case 2: v = v / 7; break;
        case 3: v = v % 11; break;
        case 4: v ^= 0x55; break;
        case 5: v <<= 3; break;
        case 6: v = __popc(v); break;
        case 7: v = __clz(v); break;
        case 8: for (int k = 0; k < (x[i] & 31); k++) v = v * 3 + k; break;
        default: v = -v;
    }
    out[i] = v;
}
extern "C" __global__ void locals(int* out, int n) {
    int a[16];
    for (int k = 0; k < 16; k++) a[k] = k * k + threadIdx.x;
    for (int k = 0; k < n; k++) { int j = (a[k & 15] + k) & 15; int t = a[j]; a[j] = a[(j + 5) & 15]; a[(j + 5) & 15] = t + 1; }
    int s = 0; for (int k = 0; k < 16; k++) s = s * 31 + a[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void vectors(const float4* a, const double2* b, float4* o, double2* p, ushort4* q, char2* r) {
    int i = threadIdx.x; float4 v = a[i]; double2 w = b[i];
    o[i] = make_float4(v.w, v.z, v.y, v.x); p[i] = make_double2(w.y, w.x + v.x);
    ushort4 u = q[i]; q[i] = make_ushort4(u.y + 1, u.x, u.w, u.z); char2 c = r[i]; r[i] = make_char2(c.y, c.x - 1);
}
extern "C" __global__ void traps(int k, int n) { if (threadIdx.x == n) { if (k == 0) __trap(); if (k == 1) { asm volatile("exit;"); } } }
extern "C" __global__ void votes(int* out, const int* x) {
    int i = threadIdx.x, v = x[i];
    unsigned b = __ballot_sync(~0u, v > 3); int a = __all_sync(~0u, v > 0), y = __any_sync(~0u, v == 9);
    unsigned m = __match_any_sync(~0u, v); int pr; unsigned ma = __match_all_sync(~0u, v & 0, &pr);
    unsigned s = __reduce_add_sync(~0u, v), mx = __reduce_max_sync(~0u, v), o = __reduce_or_sync(~0u, v);
    out[i * 8] = b; out[i*8+1] = a; out[i*8+2] = y; out[i*8+3] = m; out[i*8+4] = ma + pr; out[i*8+5] = s; out[i*8+6] = mx; out[i*8+7] = o + (__syncthreads_count(v > 3) << 8) + (__activemask() == ~0u);
}
extern "C" __global__ void __launch_bounds__(128, 4) spin(int* lock, int* count) {
    for (;;) { if (atomicCAS(lock, 0, 1) == 0) { __threadfence(); *(volatile int*)count = *(volatile int*)count + 1; __threadfence(); atomicExch(lock, 0); break; } }
}
