/* The peers: the same work as plain C loops with OpenMP. Compiled when the benchmark starts, with
 * `cc -O3 -march=native -fopenmp`, and once more with `-ffast-math`. */
#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void peer_threads(int n) { omp_set_num_threads(n); }

/* Compute-bound work, to see whether this machine gives two threads two cores. */
double peer_scale(size_t n) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (size_t i = 0; i < n; i++) {
        double x = (double)i;
        for (int k = 0; k < 64; k++) x = x * 0.999 + 1.0;
        sum += x;
    }
    return sum;
}

void peer_saxpy(float a, const float *x, float *y, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

void peer_triad(double *restrict a, const double *restrict b, const double *restrict c, double s,
                size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

double peer_dot(const double *x, const double *y, size_t n) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (size_t i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

void peer_stencil3(const float *restrict x, float *restrict y, size_t n) {
#pragma omp parallel for
    for (size_t i = 1; i < n - 1; i++) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}

void peer_stencil5(const float *restrict x, float *restrict y, size_t w, size_t h) {
#pragma omp parallel for
    for (size_t j = 1; j < h - 1; j++)
        for (size_t i = 1; i < w - 1; i++)
            y[j * w + i] = 0.25f * (x[j * w + i - 1] + x[j * w + i + 1] + x[(j - 1) * w + i] +
                                    x[(j + 1) * w + i]);
}

void peer_sobel(const uint8_t *restrict im, uint8_t *restrict out, size_t w, size_t h) {
#pragma omp parallel for
    for (size_t j = 1; j < h - 1; j++)
        for (size_t i = 1; i < w - 1; i++) {
            const uint8_t *a = im + (j - 1) * w + i, *b = im + j * w + i, *c = im + (j + 1) * w + i;
            float gx = (float)a[1] + 2.0f * (float)b[1] + (float)c[1] - (float)a[-1] -
                       2.0f * (float)b[-1] - (float)c[-1];
            float gy = (float)c[-1] + 2.0f * (float)c[0] + (float)c[1] - (float)a[-1] -
                       2.0f * (float)a[0] - (float)a[1];
            float m = sqrtf(gx * gx + gy * gy);
            out[j * w + i] = (uint8_t)(m > 255.0f ? 255.0f : m);
        }
}

#define MAP(name, f)                                            \
    void peer_##name(const float *restrict x, float *restrict y, size_t n) { \
        _Pragma("omp parallel for") for (size_t i = 0; i < n; i++) y[i] = f(x[i]); \
    }
MAP(exp, expf)
MAP(ln, logf)
MAP(sin, sinf)
MAP(erf, erff)

void peer_nbody(const float *restrict m, const float *restrict x, const float *restrict y,
                const float *restrict z, float *restrict ax, float *restrict ay, float *restrict az,
                size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0;
        for (size_t j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float pull = m[j] * inverse * inverse * inverse;
            fx += dx * pull;
            fy += dy * pull;
            fz += dz * pull;
        }
        ax[i] = fx;
        ay[i] = fy;
        az[i] = fz;
    }
}

static float normal(float x) { return 0.5f * (1.0f + erff(x * 0.70710678f)); }

void peer_black_scholes(const float *restrict spot, const float *restrict strike,
                        const float *restrict time, float rate, float volatility,
                        float *restrict call, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        float sd = volatility * sqrtf(time[i]);
        float d1 = (logf(spot[i] / strike[i]) + rate * time[i]) / sd + 0.5f * sd;
        float discount = expf(-rate * time[i]);
        call[i] = spot[i] * normal(d1) - strike[i] * discount * normal(d1 - sd);
    }
}

struct contract {
    int32_t put;
    float strike, spot, dividend, rate, years, volatility, value, tolerance;
};

void peer_contracts(const struct contract *restrict contracts, float *restrict prices, size_t n) {
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        struct contract c = contracts[i];
        float forward = c.spot * expf((c.rate - c.dividend) * c.years);
        float discount = expf(-c.rate * c.years);
        float deviation = c.volatility * sqrtf(c.years);
        float d1 = logf(forward / c.strike) / deviation + 0.5f * deviation;
        float d2 = d1 - deviation;
        float side = c.put == 0 ? 1.0f : -1.0f;
        prices[i] =
            discount * side * (forward * normal(side * d1) - c.strike * normal(side * d2));
    }
}

/* A relaxation: steps over two planes, which change places. */
void peer_heat(float *a, float *b, size_t w, size_t h, size_t steps) {
    float *first = a;
    for (size_t s = 0; s < steps; s++) {
#pragma omp parallel for
        for (size_t j = 1; j < h - 1; j++)
            for (size_t i = 1; i < w - 1; i++)
                b[j * w + i] = 0.25f * (a[j * w + i - 1] + a[j * w + i + 1] + a[(j - 1) * w + i] +
                                        a[(j + 1) * w + i]);
        float *t = a;
        a = b;
        b = t;
    }
    if (a != first) memcpy(first, a, w * h * sizeof *a);
}

/* Heat along a rod: steps over two lines, which change places; returns with the newest in `a`. */
void peer_rod(float *a, float *b, size_t n, size_t steps) {
    float *first = a;
    for (size_t s = 0; s < steps; s++) {
#pragma omp parallel for
        for (size_t i = 1; i < n - 1; i++) b[i] = 0.5f * (a[i + 1] - 2.0f * a[i] + a[i - 1]) + a[i];
        float *t = a;
        a = b;
        b = t;
    }
    if (a != first) memcpy(first, a, n * sizeof *a);
}

/* An acoustic wave; returns with the newest field in `a`. */
void peer_wave(const float *restrict speed, float *a, float *b, float scale, size_t w, size_t h,
               size_t steps) {
    float *first = a;
    for (size_t s = 0; s < steps; s++) {
#pragma omp parallel for
        for (size_t j = 1; j < h - 1; j++) {
            const float *restrict now = a + j * w;
            float *restrict next = b + j * w;
            for (size_t i = 1; i < w - 1; i++) {
                float around = now[i + 1] + now[i - 1] + now[i + w] + now[i - w];
                next[i] =
                    2.0f * now[i] - next[i] + scale * speed[j * w + i] * (around - 4.0f * now[i]);
            }
        }
        float *t = a;
        a = b;
        b = t;
    }
    if (a != first) memcpy(first, a, w * h * sizeof *a);
}

void peer_convolution(const float *restrict image, const float *restrict weights,
                      const float *restrict scale, const float *restrict bias,
                      float *restrict result, size_t pixels, size_t inputs, size_t outputs) {
#pragma omp parallel for
    for (size_t p = 0; p < pixels; p++) {
        float *restrict sums = result + p * outputs;
        for (size_t o = 0; o < outputs; o++) sums[o] = 0;
        for (size_t k = 0; k < inputs; k++)
            for (size_t o = 0; o < outputs; o++)
                sums[o] += image[p * inputs + k] * weights[k * outputs + o];
        for (size_t o = 0; o < outputs; o++) {
            float value = scale[o] * sums[o] + bias[o];
            sums[o] = value > 0 ? value : 0;
        }
    }
}

void peer_attention(const float *restrict key, const float *restrict value,
                    const float *restrict query, float *restrict weight, float *restrict result,
                    size_t n, size_t d) {
    float total = 0;
#pragma omp parallel for reduction(+ : total)
    for (size_t i = 0; i < n; i++) {
        float fit = 0;
        for (size_t j = 0; j < d; j++) fit += key[i * d + j] * query[j];
        weight[i] = expf(fit);
        total += weight[i];
    }
    for (size_t j = 0; j < d; j++) result[j] = 0;
#pragma omp parallel for reduction(+ : result[:d])
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) result[j] += weight[i] * value[i * d + j];
    for (size_t j = 0; j < d; j++) result[j] /= total;
}

/* Particles that walk through steps `first .. last`; three planes of `side * side` counts. */
void peer_walk(const float *restrict dx, const float *restrict dy, float *restrict x,
               float *restrict y, uint32_t *restrict cell, uint64_t *counts, size_t n, size_t first,
               size_t last, size_t side) {
    size_t plane = side * side;
#pragma omp parallel for
    for (size_t p = 0; p < n; p++) {
        float px = x[p], py = y[p];
        uint32_t was = cell[p];
        for (size_t k = first; k < last; k++) {
            px += dx[k * n + p];
            py += dy[k * n + p];
            float column = floorf(px + 0.5f), row = floorf(py + 0.5f);
            float off = (px - column) * (px - column) + (py - row) * (py - row);
            uint32_t now = 0;
            if (column >= 0 && column < side && row >= 0 && row < side && off <= 0.25f) {
                now = (uint32_t)row * side + (uint32_t)column + 1;
#pragma omp atomic
                counts[now - 1]++;
            }
            if (now != was) {
                if (was) {
#pragma omp atomic
                    counts[plane + was - 1]--;
                }
                if (now) {
#pragma omp atomic
                    counts[plane + now - 1]++;
#pragma omp atomic
                    counts[2 * plane + now - 1]++;
                }
            }
            was = now;
        }
        x[p] = px;
        y[p] = py;
        cell[p] = was;
    }
}

/* The cosine transform of each block of 8 x 8 pixels: along the lines, then along the columns. */
void peer_dct(const float *restrict basis, const float *restrict image, float *restrict half,
              float *restrict result, size_t w, size_t h, size_t repeats) {
    for (size_t r = 0; r < repeats; r++) {
#pragma omp parallel for
        for (size_t j = 0; j < h / 8 * 8; j++)
            for (size_t b = 0; b < w / 8 * 8; b += 8)
                for (size_t k = 0; k < 8; k++) {
                    float sum = 0;
                    for (size_t n = 0; n < 8; n++) sum += basis[k * 8 + n] * image[j * w + b + n];
                    half[j * w + b + k] = sum;
                }
#pragma omp parallel for
        for (size_t j = 0; j < h / 8 * 8; j++)
            for (size_t i = 0; i < w / 8 * 8; i++) {
                float sum = 0;
                for (size_t n = 0; n < 8; n++)
                    sum += basis[j % 8 * 8 + n] * half[(j / 8 * 8 + n) * w + i];
                result[j * w + i] = sum;
            }
    }
}

typedef struct { float density, mx, my, mz, energy; } state;
typedef struct { int32_t neighbour; float nx, ny, nz; } face;

static inline float pressure(state s) {
    return 0.4f * (s.energy - 0.5f * (s.mx * s.mx + s.my * s.my + s.mz * s.mz) / s.density);
}

static inline float fastest(state s) {
    return sqrtf(s.mx * s.mx + s.my * s.my + s.mz * s.mz) / s.density +
           sqrtf(1.4f * pressure(s) / s.density);
}

static inline state through(state s, face f) {
    float p = pressure(s), mass = s.mx * f.nx + s.my * f.ny + s.mz * f.nz, speed = mass / s.density;
    return (state){mass, s.mx * speed + p * f.nx, s.my * speed + p * f.ny, s.mz * speed + p * f.nz,
                   speed * (s.energy + p)};
}

static inline state plus(state a, float f, state b) {
    return (state){a.density + f * b.density, a.mx + f * b.mx, a.my + f * b.my, a.mz + f * b.mz,
                   a.energy + f * b.energy};
}

/* Air that flows through the cells of a mesh: iterations of three stages. */
void peer_euler(const float *restrict area, const face *restrict faces, state *restrict now,
                state *restrict old, state *restrict residual, float *restrict step, size_t n,
                size_t iterations) {
    const state far = {1.4f, 1.68f, 0, 0, 3.508f};
    for (size_t k = 0; k < iterations; k++) {
#pragma omp parallel for
        for (size_t i = 0; i < n; i++) {
            old[i] = now[i];
            step[i] = 0.5f / (sqrtf(area[i]) * fastest(now[i]));
        }
        for (int j = 0; j < 3; j++) {
#pragma omp parallel for
            for (size_t i = 0; i < n; i++) {
                state here = now[i], sum = {0, 0, 0, 0, 0};
                for (size_t l = 0; l < 4; l++) {
                    face f = faces[l * n + i];
                    if (f.neighbour == -1) {
                        float p = pressure(here);
                        sum.mx += f.nx * p;
                        sum.my += f.ny * p;
                        sum.mz += f.nz * p;
                        continue;
                    }
                    state other = far;
                    if (f.neighbour != -2) {
                        other = now[f.neighbour];
                        float pull = 0.1f * sqrtf(f.nx * f.nx + f.ny * f.ny + f.nz * f.nz) *
                                     (fastest(here) + fastest(other));
                        sum = plus(plus(sum, -pull, here), pull, other);
                    }
                    sum = plus(sum, 0.5f, through(other, f));
                    sum = plus(sum, 0.5f, through(here, f));
                }
                residual[i] = sum;
            }
            float part = 1.0f / (4 - j);
#pragma omp parallel for
            for (size_t i = 0; i < n; i++) now[i] = plus(old[i], step[i] * part, residual[i]);
        }
    }
}
