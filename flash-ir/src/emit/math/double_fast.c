// The functions of `fast_math` kernels of `double`, step for step those of `math/fast.rs` where
// multiply-adds are fused. Not `tanh` and `erf`, which are the strict ones.

FLASH_FN double flash_exp_poly_fast_f64(double r)
{
    double p = flash_mul_add_f64(0x1.af38c67fbb53ep-26, r, 0x1.28919ccaf9211p-22);
    p = flash_mul_add_f64(p, r, 0x1.71de0da24602dp-19);
    p = flash_mul_add_f64(p, r, 0x1.a019b8f9792eep-16);
    p = flash_mul_add_f64(p, r, 0x1.a01a01a7c73cp-13);
    p = flash_mul_add_f64(p, r, 0x1.6c16c17890eb4p-10);
    p = flash_mul_add_f64(p, r, 0x1.11111111109afp-7);
    p = flash_mul_add_f64(p, r, 0x1.5555555553d56p-5);
    p = flash_mul_add_f64(p, r, 0x1.5555555555555p-3);
    p = flash_mul_add_f64(p, r, 0x1.0000000000001p-1);
    p = flash_mul_add_f64(p, r, 1.0);
    return flash_mul_add_f64(p, r, 1.0);
}

FLASH_FN double flash_exp_fast_f64(double x)
{
    x = x < -708.0 ? -708.0 : x;
    x = x > 0x1.62b3333333333p+9 ? 0x1.62b3333333333p+9 : x;
    const double t = flash_mul_add_f64(x, 0x1.71547652b82fep+0, 6755399441055744.0 + 1023.0);
    const double k = t - (6755399441055744.0 + 1023.0);
    const double high = flash_mul_add_f64(k, -0x1.62e42feep-1, x);
    const double r = flash_mul_add_f64(k, -0x1.a39ef35793c76p-33, high);
    return flash_exp_poly_fast_f64(r) * flash_from_bits_f64(flash_bits_f64(t) << 52);
}

FLASH_FN double flash_exp2_fast_f64(double x)
{
    x = x < -1022.0 ? -1022.0 : x;
    x = x > 0x1.ffbeb851eb852p+9 ? 0x1.ffbeb851eb852p+9 : x;
    const double t = x + (6755399441055744.0 + 1023.0);
    const double r = x - (t - (6755399441055744.0 + 1023.0));
    const double p = flash_exp_poly_fast_f64(r * 0x1.62e42fefa39efp-1);
    return p * flash_from_bits_f64(flash_bits_f64(t) << 52);
}

FLASH_FN double flash_ln_parts_fast_f64(double x, double *e)
{
    const ulong root = ((ulong)0x3fe6a09eu << 32) | 0x667f3bcdu;
    const ulong bits = flash_bits_f64(x) - root;
    const double f = flash_from_bits_f64((bits & (((ulong)1 << 52) - 1)) + root) - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    double p = flash_mul_add_f64(0x1.2f112df3e5244p-3, z, 0x1.39a09d078c69fp-3);
    p = flash_mul_add_f64(p, z, 0x1.7466496cb03dep-3);
    p = flash_mul_add_f64(p, z, 0x1.c71c51d8e78afp-3);
    p = flash_mul_add_f64(p, z, 0x1.2492494229359p-2);
    p = flash_mul_add_f64(p, z, 0x1.999999997fa04p-2);
    p = flash_mul_add_f64(p, z, 0x1.5555555555593p-1);
    const double square = 0.5 * f * f;
    *e = flash_exponent_f64((bits + ((ulong)1023 << 52)) >> 52);
    return f - flash_mul_add_f64(s, -flash_mul_add_f64(p, z, square), square);
}

FLASH_FN double flash_ln_fast_f64(double x)
{
    double e;
    const double m = flash_ln_parts_fast_f64(x, &e);
    return flash_mul_add_f64(e, 0x1.62e42fefa39efp-1, m);
}

FLASH_FN double flash_log2_fast_f64(double x)
{
    double e;
    const double m = flash_ln_parts_fast_f64(x, &e);
    return flash_mul_add_f64(m, 0x1.71547652b82fep+0, e);
}

FLASH_FN double flash_log10_fast_f64(double x)
{
    double e;
    const double m = flash_ln_parts_fast_f64(x, &e);
    return flash_mul_add_f64(m, 0x1.bcb7b1526e50ep-2, e * 0x1.34413509f79ffp-2);
}

FLASH_FN double flash_sin_poly_fast_f64(double r)
{
    const double z = r * r;
    double p = flash_mul_add_f64(0x1.89a19d400e252p-49, z, -0x1.ae512165ca336p-41);
    p = flash_mul_add_f64(p, z, 0x1.612401122d89fp-33);
    p = flash_mul_add_f64(p, z, -0x1.ae6455a0f523dp-26);
    p = flash_mul_add_f64(p, z, 0x1.71de3a54550e7p-19);
    p = flash_mul_add_f64(p, z, -0x1.a01a01a018a8cp-13);
    p = flash_mul_add_f64(p, z, 0x1.1111111111107p-7);
    p = flash_mul_add_f64(p, z, -0x1.5555555555555p-3);
    return flash_mul_add_f64(p, z * r, r);
}

FLASH_FN double flash_without_pi_fast_f64(double x, double k)
{
    const double r = flash_mul_add_f64(k, -0x1.921fb54442d18p+1, x);
    return flash_mul_add_f64(k, -0x1.1a62633145c07p-53, r);
}

FLASH_FN double flash_sin_fast_f64(double x)
{
    const double t = flash_mul_add_f64(x, 0x1.45f306dc9c883p-2, 6755399441055744.0);
    const double r = flash_without_pi_fast_f64(x, t - 6755399441055744.0);
    const ulong bits = flash_bits_f64(flash_sin_poly_fast_f64(r));
    return flash_from_bits_f64(bits ^ (flash_bits_f64(t) << 63));
}

FLASH_FN double flash_cos_fast_f64(double x)
{
    const double t = flash_mul_add_f64(x, 0x1.45f306dc9c883p-2, -0.5) + 6755399441055744.0;
    const double r = flash_without_pi_fast_f64(x, (t - 6755399441055744.0) + 0.5);
    const ulong bits = flash_bits_f64(flash_sin_poly_fast_f64(r));
    return flash_from_bits_f64(bits ^ (~flash_bits_f64(t) << 63));
}

FLASH_FN double flash_tan_fast_f64(double x)
{
    return flash_sin_fast_f64(x) / flash_cos_fast_f64(x);
}

FLASH_FN double flash_pow_fast_f64(double x, double y)
{
    return flash_exp2_fast_f64(y * flash_log2_fast_f64(x));
}
