#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void phases(int* x, int n) {
    auto g = cg::this_grid(); int i = g.thread_rank();
    for (int k = 0; k < 4; k++) { int v = x[(i + 1) % n]; g.sync(); x[i] = v + k; g.sync(); }
}
extern "C" __global__ void tiles(const int* x, int* o) {
    auto b = cg::this_thread_block(); auto t = cg::tiled_partition<8>(b); int v = x[b.thread_rank()];
    for (int d = 4; d; d /= 2) v += t.shfl_down(v, d);
    if (t.thread_rank() == 0) o[b.thread_rank() / 8] = v;
    auto c = cg::coalesced_threads(); if (x[b.thread_rank()] & 1) { auto e = cg::coalesced_threads(); o[32 + b.thread_rank()] = e.size() * 100 + e.thread_rank(); }
    b.sync();
}
extern "C" __global__ void says(int n) { if (threadIdx.x == 0) printf("n %d\n", n); assert(n < 5); }
