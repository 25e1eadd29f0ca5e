/* A stand-in for cuBLAS on the CUDA driver for tests: the functions that the example calls. The product is
   computed on the host, in the order of the stream, between copies of the stream. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    void *stream;
} handle;

typedef struct {
    int m, n, k;
    float *a, *b, *c;
} work;

typedef int (*copy_down)(void *, unsigned long long, size_t, void *);
typedef int (*copy_up)(unsigned long long, const void *, size_t, void *);
typedef int (*host_alloc)(void **, size_t, unsigned);
typedef int (*launch_host)(void *, void (*)(void *), void *);

static void *driver(const char *name) {
    static void *library;
    if (!library) library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

int cublasCreate_v2(void **out) {
    *out = calloc(1, sizeof(handle));
    return *out ? 0 : 3;
}

int cublasDestroy_v2(void *it) {
    free(it);
    return 0;
}

int cublasSetStream_v2(void *it, void *stream) {
    ((handle *)it)->stream = stream;
    return 0;
}

static void multiply(void *user) {
    work *w = user;
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < w->m; i++) {
            float sum = 0;
            for (int l = w->k; l-- > 0;) sum += w->a[l * w->m + i] * w->b[j * w->k + l];
            w->c[j * w->m + i] = sum;
        }
}

#ifdef WITHOUT_SGEMM
#define cublasSgemm_v2 cublasSgemm
#endif

/* c = a b, of an m x k and a k x n matrix, column by column without gaps. */
int cublasSgemm_v2(void *it, int ta, int tb, int m, int n, int k, const float *alpha, unsigned long long a,
                   int lda, unsigned long long b, int ldb, const float *beta, unsigned long long c, int ldc) {
    void *stream = ((handle *)it)->stream;
    copy_down down = (copy_down)driver("cuMemcpyDtoHAsync_v2");
    copy_up up = (copy_up)driver("cuMemcpyHtoDAsync_v2");
    host_alloc alloc = (host_alloc)driver("cuMemHostAlloc");
    launch_host host = (launch_host)driver("cuLaunchHostFunc");
    if (!down || !up || !alloc || !host) return 1;
    if (ta || tb || *alpha != 1 || *beta != 0 || lda != m || ldb != k || ldc != m) return 7;
    size_t as = sizeof(float) * m * k, bs = sizeof(float) * k * n, cs = sizeof(float) * m * n;
    /* Pinned, so that nothing waits; it stays until the program ends. */
    char *memory;
    if (alloc((void **)&memory, sizeof(work) + as + bs + cs, 0)) return 3;
    work *w = (work *)memory;
    *w = (work){m, n, k, (float *)(w + 1), NULL, NULL};
    w->b = w->a + m * k;
    w->c = w->b + k * n;
    if (down(w->a, a, as, stream) || down(w->b, b, bs, stream)) return 13;
    if (host(stream, multiply, w)) return 13;
    return up(c, w->c, cs, stream) ? 13 : 0;
}
