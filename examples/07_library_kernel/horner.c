/* A kernel in C: polynomials by Horner's rule. See flash.h for what it may use and do. */
#include "flash.h"

FLASH_MODULE

FLASH_KERNEL(horner, "in f64[1], in f64[1], out f64[1]") {
    const double *coefficients = FLASH_POINTER(0, const double);
    const double *x = FLASH_POINTER(1, const double);
    double *y = FLASH_POINTER(2, double);
    uint64_t n = FLASH_LENGTH(0);
    (void)n_args;
    FLASH_ITEMS {
        uint64_t i = global_id(0);
        double sum = 0.0;
        for (uint64_t k = 0; k < n; k++) sum = sum * x[i] + coefficients[k];
        y[i] = sum;
    }
}
