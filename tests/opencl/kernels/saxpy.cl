// Written for any host: nothing of FLASH is in it.
__kernel void saxpy(const float a, __global const float *x, __global float *y) {
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

__kernel void saxpy_guarded(const float a, __global const float *x, __global float *y,
                            const uint n) {
    const size_t i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__kernel void transpose(__global const uint *x, __global uint *out, const ulong n, const ulong m) {
    const size_t i = get_global_id(0);
    const size_t j = get_global_id(1);
    out[j * n + i] = x[i * m + j];
}

struct line {
    float slope;
    int offset;
    double scale;
};

__kernel void on_line(const struct line l, __global const float *x, __global float *y) {
    const size_t i = get_global_id(0);
    y[i] = (float)(l.scale * (l.slope * x[i] + (float)l.offset));
}

// One sum for each work-group.
__kernel void group_sums(__global const uint *x, __global uint *sums, __local uint *shared) {
    const size_t k = get_local_id(0);
    shared[k] = x[get_global_id(0)];
    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k < step)
            shared[k] += shared[k + step];
    }
    if (k == 0)
        sums[get_group_id(0)] = shared[0];
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void sizes_of_groups(__global uint *out) {
    out[get_global_id(0)] = get_local_size(0);
}

__kernel void quads(__global const float4 *x, __global float4 *y) {
    const size_t i = get_global_id(0);
    y[i] = x[i].wzyx;
}

__kernel void triples(__global const float3 *x, __global float *y) {
    y[get_global_id(0)] = x[get_global_id(0)].x;
}
