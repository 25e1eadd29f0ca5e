/* The same in OpenCL C, as it is written without FLASH. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void horner(__global const double *coefficients, ulong n, __global const double *x,
                     __global double *y) {
    size_t i = get_global_id(0);
    double sum = 0.0;
    for (ulong k = 0; k < n; k++) sum = sum * x[i] + coefficients[k];
    y[i] = sum;
}
