// N-body in tiles: the bodies of a block read the others through shared memory, a tile at a time.
// Coordinates are three rows. The text is that of the raw driver's peer and of a native kernel.
#define TILE 256

extern "C" __global__ void pull(float gravity, const float *__restrict__ mass,
                                const float *__restrict__ place, float *__restrict__ pulled,
                                unsigned long long n) {
    __shared__ float4 tile[TILE];
    unsigned long long i = blockIdx.x * (unsigned long long)TILE + threadIdx.x;
    float x = 0, y = 0, z = 0, ax = 0, ay = 0, az = 0;
    if (i < n) {
        x = place[i];
        y = place[n + i];
        z = place[2 * n + i];
    }
    for (unsigned long long begin = 0; begin < n; begin += TILE) {
        unsigned long long j = begin + threadIdx.x;
        // A body without mass pulls nobody, so the last tile needs no end of its own.
        tile[threadIdx.x] = j < n
            ? make_float4(place[j], place[n + j], place[2 * n + j], gravity * mass[j])
            : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 16
        for (int k = 0; k < TILE; k++) {
            float4 other = tile[k];
            float dx = other.x - x, dy = other.y - y, dz = other.z - z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float strength = other.w * inverse * inverse * inverse;
            ax += dx * strength;
            ay += dy * strength;
            az += dz * strength;
        }
        __syncthreads();
    }
    if (i < n) {
        pulled[i] = ax;
        pulled[n + i] = ay;
        pulled[2 * n + i] = az;
    }
}

// Moves all bodies by one step and adds their kinetic energy to `energy`.
extern "C" __global__ void advance(float dt, const float *__restrict__ mass,
                                   const float *__restrict__ pulled, float *__restrict__ velocity,
                                   float *__restrict__ place, double *energy,
                                   unsigned long long n) {
    __shared__ double sums[TILE / 32];
    unsigned long long i = blockIdx.x * (unsigned long long)TILE + threadIdx.x;
    double own = 0;
    if (i < n) {
        float square = 0;
        for (int c = 0; c < 3; c++) {
            float v = velocity[c * n + i] + pulled[c * n + i] * dt;
            velocity[c * n + i] = v;
            place[c * n + i] += v * dt;
            square += v * v;
        }
        own = 0.5 * (double)mass[i] * (double)square;
    }
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_down_sync(0xffffffffu, own, apart);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < TILE / 32; k++) own += sums[k];
        atomicAdd(energy, own);
    }
}
