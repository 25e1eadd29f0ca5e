// Raw OpenCL: the calls that a program makes by hand on the first device that is no FPGA, and nothing
// else. The driver is opened at run time and its few types are declared here, so that no header is
// needed. Every function gives nanoseconds, or a negative number where a call failed.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef struct object *handle;

static cl_int (*GetPlatformIDs)(cl_uint, handle *, cl_uint *);
static cl_int (*GetPlatformInfo)(handle, cl_uint, size_t, void *, size_t *);
static cl_int (*GetDeviceIDs)(handle, cl_ulong, cl_uint, handle *, cl_uint *);
static handle (*CreateContext)(const intptr_t *, cl_uint, const handle *, void *, void *, cl_int *);
static handle (*CreateCommandQueue)(handle, handle, cl_ulong, cl_int *);
static handle (*CreateProgramWithSource)(handle, cl_uint, const char **, const size_t *, cl_int *);
static cl_int (*BuildProgram)(handle, cl_uint, const handle *, const char *, void *, void *);
static handle (*CreateKernel)(handle, const char *, cl_int *);
static handle (*CreateBuffer)(handle, cl_ulong, size_t, void *, cl_int *);
static cl_int (*SetKernelArg)(handle, cl_uint, size_t, const void *);
static cl_int (*EnqueueNDRangeKernel)(handle, handle, cl_uint, const size_t *, const size_t *, const size_t *,
                                      cl_uint, const handle *, handle *);
static cl_int (*EnqueueWriteBuffer)(handle, handle, cl_uint, size_t, size_t, const void *, cl_uint, const handle *,
                                    handle *);
static cl_int (*EnqueueReadBuffer)(handle, handle, cl_uint, size_t, size_t, void *, cl_uint, const handle *, handle *);
static cl_int (*Finish)(handle);

static handle queue, kernel, x, y;
static size_t bytes;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

// Opens the device, builds `saxpy` and makes two arrays of so many bytes; 0 if all is well.
int peer_open(size_t n_bytes) {
    static const char *text = "__kernel void saxpy(float a, __global const float *x, __global float *y) {"
                              "    size_t i = get_global_id(0); y[i] = a * x[i] + y[i]; }";
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!library) return 1;
#define FIND(name)                                                                                                     \
    if (!(*(void **)&name = dlsym(library, "cl" #name))) return 2
    FIND(GetPlatformIDs);
    FIND(GetPlatformInfo);
    FIND(GetDeviceIDs);
    FIND(CreateContext);
    FIND(CreateCommandQueue);
    FIND(CreateProgramWithSource);
    FIND(BuildProgram);
    FIND(CreateKernel);
    FIND(CreateBuffer);
    FIND(SetKernelArg);
    FIND(EnqueueNDRangeKernel);
    FIND(EnqueueWriteBuffer);
    FIND(EnqueueReadBuffer);
    FIND(Finish);
    handle platforms[16], device = NULL;
    cl_uint n = 0;
    if (GetPlatformIDs(16, platforms, &n) != 0) return 3;
    for (cl_uint k = 0; k < n && k < 16 && !device; k++) {
        char name[256] = "";
        GetPlatformInfo(platforms[k], 0x0902, sizeof name, name, NULL);
        cl_uint devices = 0;
        if (strstr(name, "FPGA")) continue;
        if (GetDeviceIDs(platforms[k], 0xFFFFFFFF, 1, &device, &devices) != 0) device = NULL;
    }
    if (!device) return 4;
    cl_int error = 0;
    handle context = CreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error) return 5;
    queue = CreateCommandQueue(context, device, 0, &error);
    if (error) return 6;
    handle program = CreateProgramWithSource(context, 1, &text, NULL, &error);
    if (error || BuildProgram(program, 1, &device, "", NULL, NULL)) return 7;
    kernel = CreateKernel(program, "saxpy", &error);
    if (error) return 8;
    bytes = n_bytes;
    x = CreateBuffer(context, 1, n_bytes, NULL, &error);
    if (error) return 9;
    y = CreateBuffer(context, 1, n_bytes, NULL, &error);
    return error ? 9 : 0;
}

// Sets the arguments and starts a kernel of so many items, so many times, and waits at the end.
double peer_launches(size_t items, unsigned times) {
    float a = 1e-9f;
    double start = now();
    cl_int error = 0;
    for (unsigned k = 0; k < times; k++) {
        error |= SetKernelArg(kernel, 0, sizeof a, &a);
        error |= SetKernelArg(kernel, 1, sizeof x, &x);
        error |= SetKernelArg(kernel, 2, sizeof y, &y);
        error |= EnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    }
    error |= Finish(queue);
    return error ? -1 : now() - start;
}

// Brings the first array to the device.
double peer_upload(const void *from, size_t n) {
    if (n > bytes) return -1;
    double start = now();
    cl_int error = EnqueueWriteBuffer(queue, x, 1, 0, n, from, 0, NULL, NULL);
    return error ? -1 : now() - start;
}

// Brings the second array back, which launches write.
double peer_download(void *to, size_t n) {
    if (n > bytes) return -1;
    double start = now();
    cl_int error = EnqueueReadBuffer(queue, y, 1, 0, n, to, 0, NULL, NULL);
    return error ? -1 : now() - start;
}
