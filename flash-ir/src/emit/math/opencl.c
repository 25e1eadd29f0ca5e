// What the functions of `flash::math` stand on, in OpenCL C 1.2. No function is defined here that is
// not exact in every conforming compiler.
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define FLASH_FN static inline
#define flash_bits_f32(x) as_uint((float)(x))
#define flash_bits_f64(x) as_ulong((double)(x))
#define flash_from_bits_f32(x) as_float((uint)(x))
#define flash_from_bits_f64(x) as_double((ulong)(x))
#define flash_mul_add_f32(x, a, b) fma((float)(x), (float)(a), (float)(b))
#define flash_mul_add_f64(x, a, b) fma((double)(x), (double)(a), (double)(b))
#define flash_sqrt_f32(x) sqrt((float)(x))
#define flash_sqrt_f64(x) sqrt((double)(x))
#define flash_driver_floor_f32(x) floor((float)(x))
#define flash_driver_floor_f64(x) floor((double)(x))
#define flash_driver_ceil_f32(x) ceil((float)(x))
#define flash_driver_ceil_f64(x) ceil((double)(x))
#define flash_driver_trunc_f32(x) trunc((float)(x))
#define flash_driver_trunc_f64(x) trunc((double)(x))
#define flash_driver_rint_f32(x) rint((float)(x))
#define flash_driver_rint_f64(x) rint((double)(x))
#define flash_clz_u32(x) clz((uint)(x))
#define flash_clz_u64(x) clz((ulong)(x))
#define flash_popcount_u32(x) popcount((uint)(x))
#define flash_popcount_u64(x) popcount((ulong)(x))
