// Compiled to `twice.spv` by
// clang-15 -c -cl-std=CL1.2 -target spir64 -emit-llvm -O1 -Xclang -finclude-default-header twice.cl -o twice.bc
// llvm-spirv-15 --spirv-max-version=1.0 twice.bc -o twice.spv

__kernel void twice(const float by, __global const float *x, __global float *y)
{
    const size_t i = get_global_id(0);
    y[i] = by * x[i];
}
