/* A program of its own for an FPGA. */
__kernel void square(__global const int *restrict x, __global int *restrict y)
{
    const size_t i = get_global_id(0);
    y[i] = x[i] * x[i];
}
