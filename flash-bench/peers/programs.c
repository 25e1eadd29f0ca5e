/* The peers of programs with host tasks, which stand beside them in Rust. Compiled when the
 * benchmark starts, with `cc -O3 -march=native -fno-math-errno -fopenmp`: a root that has to set
 * `errno` keeps a loop from being vectorised. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What all other bodies pull each of them to; coordinates are three rows. */
void peer_pull(float gravity, const float *restrict mass, const float *restrict place,
               float *restrict pull, size_t n) {
    const float *restrict xs = place, *restrict ys = place + n, *restrict zs = place + 2 * n;
#pragma omp parallel for simd
    for (size_t i = 0; i < n; i++) {
        float x = xs[i], y = ys[i], z = zs[i], ax = 0, ay = 0, az = 0;
        for (size_t j = 0; j < n; j++) {
            float dx = xs[j] - x, dy = ys[j] - y, dz = zs[j] - z;
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float strength = gravity * mass[j] * inverse * inverse * inverse;
            ax += dx * strength;
            ay += dy * strength;
            az += dz * strength;
        }
        pull[i] = ax;
        pull[n + i] = ay;
        pull[2 * n + i] = az;
    }
}

/* Moves all bodies by one step and returns their kinetic energy. */
double peer_move(float dt, const float *restrict mass, const float *restrict pull,
                 float *restrict velocity, float *restrict place, size_t n) {
    double energy = 0;
#pragma omp parallel for simd reduction(+ : energy)
    for (size_t i = 0; i < n; i++) {
        float square = 0;
        for (size_t c = 0; c < 3; c++) {
            float v = velocity[c * n + i] + pull[c * n + i] * dt;
            velocity[c * n + i] = v;
            place[c * n + i] += v * dt;
            square += v * v;
        }
        energy += 0.5 * (double)mass[i] * (double)square;
    }
    return energy;
}

/* The temperature of a chip; returns with the newest in `a`. */
void peer_hotspot(const float *restrict power, float *a, float *b, float step, float along,
                  float down, float out, size_t w, size_t h, size_t steps) {
    float *first = a;
    for (size_t s = 0; s < steps; s++) {
#pragma omp parallel for
        for (size_t j = 0; j < h; j++) {
            const float *here = a + j * w, *above = j ? here - w : here,
                        *below = j + 1 < h ? here + w : here;
            for (size_t i = 0; i < w; i++) {
                float t = here[i], west = i ? here[i - 1] : t, east = i + 1 < w ? here[i + 1] : t;
                float flow = power[j * w + i] + (below[i] + above[i] - 2.0f * t) * down +
                             (east + west - 2.0f * t) * along + (80.0f - t) * out;
                b[j * w + i] = t + step * flow;
            }
        }
        float *t = a;
        a = b;
        b = t;
    }
    if (a != first) memcpy(first, a, w * h * sizeof *a);
}

/* Steps until each point of a window escapes: 16 points of a line together, so that the compiler
 * packs them. */
void peer_zoom(int32_t *restrict image, size_t w, size_t h, float x1, float x2, float y1, float y2,
               int32_t limit) {
    enum { LANES = 16 };
    float sx = (x2 - x1) / w, sy = (y2 - y1) / h;
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t b = 0; b < h; b++) {
        float cy = y1 + sy * b;
        for (size_t a = 0; a < w; a += LANES) {
            float cx[LANES], x[LANES] = {0}, y[LANES] = {0};
            int32_t k[LANES] = {0};
            for (int l = 0; l < LANES; l++) cx[l] = x1 + sx * (a + l);
            for (int32_t trip = 0; trip < limit; trip++) {
                int32_t left = 0;
                for (int l = 0; l < LANES; l++) {
                    float xx = x[l] * x[l], yy = y[l] * y[l], next = 2.0f * x[l] * y[l] + cy;
                    int32_t in = xx + yy <= 4.0f;
                    x[l] = in ? xx - yy + cx[l] : x[l];
                    y[l] = in ? next : y[l];
                    k[l] += in;
                    left |= in;
                }
                if (!left) break;
            }
            for (size_t l = 0; l < LANES && a + l < w; l++) image[b * w + a + l] = k[l];
        }
    }
}

/* Sums of a tile of 4 lines and 64 columns of a product of square matrices; a loop with bounds
 * that the compiler knows stays in registers. */
static inline void tile(const float *restrict a, const float *restrict b, float *restrict c,
                        size_t n, size_t rows, size_t columns) {
    float sum[4][64] = {{0}};
    for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < rows; r++)
            for (size_t l = 0; l < columns; l++) sum[r][l] += a[r * n + k] * b[k * n + l];
    for (size_t r = 0; r < rows; r++) memcpy(c + r * n, sum[r], columns * sizeof **sum);
}

/* c = a b */
void peer_multiply(const float *restrict a, const float *restrict b, float *restrict c, size_t n) {
#pragma omp parallel for
    for (size_t j = 0; j < n; j += 4)
        for (size_t i = 0; i < n; i += 64) {
            size_t rows = n - j < 4 ? n - j : 4, columns = n - i < 64 ? n - i : 64;
            if (rows == 4 && columns == 64)
                tile(a + j * n, b + i, c + j * n + i, n, 4, 64);
            else
                tile(a + j * n, b + i, c + j * n + i, n, rows, columns);
        }
}

/* The strength of edges in a plane; its rim stays. */
void peer_edges(const uint8_t *restrict im, uint8_t *restrict out, size_t w, size_t h) {
#pragma omp parallel for
    for (size_t j = 1; j < h - 1; j++) {
        const uint8_t *p = im + (j - 1) * w, *q = p + w, *r = q + w;
        for (size_t i = 1; i < w - 1; i++) {
            int down = r[i - 1] + 2 * r[i] + r[i + 1] - p[i - 1] - 2 * p[i] - p[i + 1];
            int across = p[i + 1] + 2 * q[i + 1] + r[i + 1] - p[i - 1] - 2 * q[i - 1] - r[i - 1];
            float strength = sqrtf((float)(down * down + across * across));
            out[j * w + i] = (uint8_t)(strength > 255.0f ? 255.0f : strength);
        }
    }
}
