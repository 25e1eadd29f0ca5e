// Kernels that are not what their declarations say.
struct Line {
    int offset;
    float slope;
    double scale;
};

extern "C" __global__ void too_few(float a, float *y) { y[0] = a; }
extern "C" __global__ void too_many(float a, const float *x, float *y, int n) { y[n] = a * x[0]; }
extern "C" __global__ void other_value(int a, const float *x, float *y) { y[0] = a * x[0]; }
extern "C" __global__ void other_element(float a, const double *x, float *y) { y[0] = a * x[0]; }
extern "C" __global__ void pointer_for_value(const float *a, const float *x, float *y) { y[0] = a[0] * x[0]; }
extern "C" __global__ void value_for_pointer(float a, float x, float *y) { y[0] = a * x; }
extern "C" __global__ void only_reads(float a, const float *x, const float *y) {}
extern "C" __global__ void vectors(float a, const float2 *x, float *y) { y[0] = a * x[0].x; }
extern "C" __global__ void on_line(Line line, const float *x, float *y) { y[0] = line.slope * x[0]; }
extern "C" __global__ void short_length(float a, const float *x, float *y, short n) { y[n] = a * x[0]; }
template <class T> __global__ void of_any(T a, const T *x, T *y) { y[0] = a * x[0]; }

#include "flash.h"
// More dimensions than a block has.
extern "C" __global__ void nine(float a, const float *x, float *y, FLASH_BLOCK) {
    y[FLASH_ITEM] = a * x[FLASH_ITEM];
}
