// One step of a grid: the temperature of a chip, and the edges of a picture.
struct Chip {
    float step, along, down, out;
};

extern "C" __global__ void hotspot(Chip chip, const float *__restrict__ power,
                                   const float *__restrict__ old, float *__restrict__ next,
                                   unsigned long long w, unsigned long long h) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    unsigned long long j = blockIdx.y * (unsigned long long)blockDim.y + threadIdx.y;
    if (i >= w || j >= h) return;
    unsigned long long at = j * w + i;
    float t = old[at];
    float north = j > 0 ? old[at - w] : t, south = j + 1 < h ? old[at + w] : t;
    float west = i > 0 ? old[at - 1] : t, east = i + 1 < w ? old[at + 1] : t;
    float flow = power[at] + (south + north - 2.0f * t) * chip.down +
                 (east + west - 2.0f * t) * chip.along + (80.0f - t) * chip.out;
    next[at] = t + chip.step * flow;
}

extern "C" __global__ void edges(const unsigned char *__restrict__ im,
                                 unsigned char *__restrict__ out, unsigned long long w,
                                 unsigned long long h) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    unsigned long long j = blockIdx.y * (unsigned long long)blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i + 1 >= w || j + 1 >= h) return;
    const unsigned char *p = im + (j - 1) * w + i, *q = p + w, *r = q + w;
    int down = r[-1] + 2 * r[0] + r[1] - p[-1] - 2 * p[0] - p[1];
    int across = p[1] + 2 * q[1] + r[1] - p[-1] - 2 * q[-1] - r[-1];
    float strength = sqrtf((float)(down * down + across * across));
    out[j * w + i] = (unsigned char)(strength > 255.0f ? 255.0f : strength);
}
