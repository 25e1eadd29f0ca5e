// What the functions of `flash::math` stand on, in C99, for the test of their text. Not fast.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define FLASH_FN static inline
#define char int8_t
#define short int16_t
#define int int32_t
#define long int64_t
#define uchar uint8_t
#define ushort uint16_t
#define uint uint32_t
#define ulong uint64_t
#define flash_mul_add_f32(x, a, b) fmaf(x, a, b)
#define flash_mul_add_f64(x, a, b) fma(x, a, b)
#define flash_sqrt_f32(x) sqrtf(x)
#define flash_sqrt_f64(x) sqrt(x)
#define flash_driver_floor_f32(x) floorf(x)
#define flash_driver_floor_f64(x) floor(x)
#define flash_driver_ceil_f32(x) ceilf(x)
#define flash_driver_ceil_f64(x) ceil(x)
#define flash_driver_trunc_f32(x) truncf(x)
#define flash_driver_trunc_f64(x) trunc(x)
#define flash_driver_rint_f32(x) rintf(x)
#define flash_driver_rint_f64(x) rint(x)

FLASH_FN uint flash_bits_f32(float x)
{
    uint bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

FLASH_FN ulong flash_bits_f64(double x)
{
    ulong bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

FLASH_FN float flash_from_bits_f32(uint bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

FLASH_FN double flash_from_bits_f64(ulong bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

FLASH_FN uint flash_popcount_u64(ulong x)
{
    uint count = 0;
    for (; x != 0; x &= x - 1) {
        count++;
    }
    return count;
}

FLASH_FN uint flash_clz_u64(ulong x)
{
    uint zeros = 64;
    for (; x != 0; x >>= 1) {
        zeros--;
    }
    return zeros;
}

FLASH_FN uint flash_popcount_u32(uint x)
{
    return flash_popcount_u64(x);
}

FLASH_FN uint flash_clz_u32(uint x)
{
    return flash_clz_u64(x) - 32;
}
