// One kernel for each sort of element that kernels written without FLASH take.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// Each scalar as a value and as what arrays have.
#define SUMS(T)                                                                         \
    __kernel void plus_##T(const T by, __global const T *x, __global T *y, __global T *z) \
    {                                                                                   \
        const size_t i = get_global_id(0);                                              \
        y[i] = x[i] + by;                                                               \
        z[i] = by;                                                                      \
    }
SUMS(char)
SUMS(uchar)
SUMS(short)
SUMS(ushort)
SUMS(int)
SUMS(uint)
SUMS(long)
SUMS(ulong)
SUMS(float)
SUMS(double)

// A truth is a byte, 0 or 1.
__kernel void chosen(const uchar is_first, __global const ushort *x, __global const ushort *y,
                     __global ushort *z, __global uchar *as_it_is)
{
    const size_t i = get_global_id(0);
    z[i] = is_first ? x[i] : y[i];
    as_it_is[i] = is_first;
}

__kernel void twice_half(__global const half *x, __global float *y)
{
    const size_t i = get_global_id(0);
    y[i] = 2.0f * vload_half(i, x);
}

__kernel void twice_bfloat(__global const ushort *x, __global float *y)
{
    const size_t i = get_global_id(0);
    y[i] = 2.0f * as_float((uint)x[i] << 16);
}

__kernel void squared(__global const float2 *x, __global float2 *y)
{
    const size_t i = get_global_id(0);
    y[i] = (float2)(x[i].x * x[i].x - x[i].y * x[i].y, 2.0f * x[i].x * x[i].y);
}

typedef struct {
    double re, im;
} complex64;

__kernel void turned(const double2 by, __global complex64 *x)
{
    const size_t i = get_global_id(0);
    const complex64 old = x[i];
    x[i].re = old.re * by.x - old.im * by.y;
    x[i].im = old.re * by.y + old.im * by.x;
}

__kernel void pairs(__global const int2 *x, __global int2 *y)
{
    const size_t i = get_global_id(0);
    y[i] = x[i].yx;
}

__kernel void eights(__global const short8 *x, __global short8 *y)
{
    const size_t i = get_global_id(0);
    y[i] = x[i].s76543210;
}

__kernel void sixteens(__global const uchar16 *x, __global uchar16 *y)
{
    const size_t i = get_global_id(0);
    y[i] = x[i].sfedcba9876543210;
}

__kernel void threes(__global const float *x, __global float *y)
{
    const size_t i = get_global_id(0);
    y[3 * i] = x[3 * i + 2];
    y[3 * i + 1] = x[3 * i + 1];
    y[3 * i + 2] = x[3 * i];
}

__kernel void fours_of_three(__global const float3 *x, __global float3 *y)
{
    y[get_global_id(0)] = x[get_global_id(0)];
}

// A structure with what a compiler leaves free.
typedef struct {
    int count;
    double weight;
    float4 at;
} body;

__kernel void bodies(__global body *x, __constant float *by)
{
    const size_t i = get_global_id(0);
    x[i].count += 1;
    x[i].weight *= 2.0;
    x[i].at *= by[0];
}

__kernel void pictures(__read_only image2d_t x, __global float *y)
{
    y[get_global_id(0)] = get_image_width(x);
}

__kernel void samples(sampler_t how, __global float *y)
{
    y[get_global_id(0)] = 1.0f;
}

__kernel void halved(__global const float8 *x, __global float8 *y) {
    y[get_global_id(0)] = 0.5f * x[get_global_id(0)];
}
