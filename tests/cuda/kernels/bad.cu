// A text with a mistake.
extern "C" __global__ void saxpy(float a, const float *x, float *y) { y[0] = b * x[0]; }
