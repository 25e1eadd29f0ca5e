// Types by the names that a code gives them.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

typedef float real;
typedef real scalar;
typedef float4 vec4;
typedef uint count_t;
enum mode { PLAIN, TWICE };

__kernel void scaled(const scalar a, __global real *x) { x[get_global_id(0)] *= a; }

__kernel void stretched(const vec4 by, __global vec4 *x, const count_t n) {
    const size_t i = get_global_id(0);
    x[i] = x[i] * by + (float)n;
}

__kernel void in_mode(const enum mode how, __global real *x) {
    x[get_global_id(0)] *= how == TWICE ? 2.0f : 1.0f;
}

__kernel void of_rows(__global float (*x)[4]) { x[get_global_id(0)][1] = 7.0f; }

__kernel void of_four(__global const vec4 *x, __global real *y) {
    const size_t i = get_global_id(0);
    y[i] = x[i].x + x[i].w;
}

// Which one there is says the compiler alone.
#ifdef DOUBLE
typedef struct { double x, y; } point;
#else
typedef struct { float x, y; } point;
#endif
__kernel void displaced(const point by, __global point *x) {
    const size_t i = get_global_id(0);
    x[i].x += by.x;
    x[i].y += by.y;
}

typedef struct { float x; real y; } pair;
__kernel void swapped(__global pair *x) {
    const pair at = x[get_global_id(0)];
    x[get_global_id(0)].x = at.y;
    x[get_global_id(0)].y = at.x;
}

__kernel void of_whole_numbers(__global int *x) { x[get_global_id(0)] = 1; }
