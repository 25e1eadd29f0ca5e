/* Two kernels of one program for an FPGA, and two that talk through a channel. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

channel int numbers __attribute__((depth(8)));

__kernel void twice(__global const int *restrict x, __global int *restrict y)
{
    const size_t i = get_global_id(0);
    y[i] = 2 * x[i];
}

/* One work-item, which goes through all of an array. */
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void running_sum(__global const int *restrict x, __global int *restrict y, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
}

__attribute__((max_global_work_dim(0)))
__kernel void produce(__global const int *restrict x, int n)
{
    for (int i = 0; i < n; i++) {
        write_channel_intel(numbers, x[i]);
    }
}

__attribute__((max_global_work_dim(0)))
__kernel void consume(__global int *restrict y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = read_channel_intel(numbers) + 1;
    }
}
