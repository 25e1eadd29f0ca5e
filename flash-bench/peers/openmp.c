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

void peer_mandelbrot(uint32_t *restrict out, size_t w, size_t h, float x0, float y0, float step,
                     uint32_t most) {
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t j = 0; j < h; j++)
        for (size_t i = 0; i < w; i++) {
            float cx = x0 + step * (float)i, cy = y0 + step * (float)j, x = 0, y = 0;
            uint32_t k = 0;
            while (k < most && x * x + y * y <= 4.0f) {
                float t = x * x - y * y + cx;
                y = 2.0f * x * y + cy;
                x = t;
                k++;
            }
            out[j * w + i] = k;
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

void peer_matrix(const float *restrict a, const float *restrict b, float *restrict c, size_t n) {
#pragma omp parallel for
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            float sum = 0;
            for (size_t k = 0; k < n; k++) sum += a[j * n + k] * b[k * n + i];
            c[j * n + i] = sum;
        }
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
