// Elementary functions of `float`, step for step those of `math/single.rs`, where they are
// explained. Not the fast ones.

FLASH_FN float flash_round_to_f32(float x)
{
    return (x + 12582912.0f) - 12582912.0f;
}

FLASH_FN float flash_pow2_f32(float k)
{
    return flash_from_bits_f32(flash_bits_f32(k + (12582912.0f + 127.0f)) << 23);
}

FLASH_FN float flash_scale_f32(float p, float k)
{
    const float part = flash_round_to_f32(k * 0.5f);
    return p * flash_pow2_f32(part) * flash_pow2_f32(k - part);
}

FLASH_FN float flash_exp_poly_f32(float r)
{
    float p = 0x1.a0d2cep-13f;
    p = p * r + 0x1.6e879cp-10f;
    p = p * r + 0x1.11121p-7f;
    p = p * r + 0x1.555382p-5f;
    p = p * r + 0x1.555554p-3f;
    p = p * r + 0x1.0p-1f;
    return p * (r * r) + r + 1.0f;
}

FLASH_FN float flash_exp_f32(float x)
{
    x = x < -104.0f ? -104.0f : x;
    x = x > 89.0f ? 89.0f : x;
    const float k = flash_round_to_f32(x * 0x1.715476p+0f);
    const float r = (x - k * 0.693359375f) + k * 0x1.bd0106p-13f;
    return flash_scale_f32(flash_exp_poly_f32(r), k);
}

FLASH_FN float flash_exp2_f32(float x)
{
    x = x < -151.0f ? -151.0f : x;
    x = x > 129.0f ? 129.0f : x;
    const float k = flash_round_to_f32(x);
    return flash_scale_f32(flash_exp_poly_f32((x - k) * 0x1.62e43p-1f), k);
}

FLASH_FN float flash_split_f32(float x, float *e)
{
    const uint root = 0x3f3504f3u;
    const int tiny = x < 0x1.0p-126f;
    const uint bits = flash_bits_f32(tiny ? x * 8388608.0f : x) - root;
    *e = (float)((int)bits >> 23) - (tiny ? 23.0f : 0.0f);
    return flash_from_bits_f32((bits & 0x7fffffu) + root) - 1.0f;
}

FLASH_FN float flash_ln_poly_f32(float z)
{
    float p = 0x1.204376p-4f;
    p = p * z - 0x1.d7a37p-4f;
    p = p * z + 0x1.de4a36p-4f;
    p = p * z - 0x1.fcba9ep-4f;
    p = p * z + 0x1.23d37ep-3f;
    p = p * z - 0x1.555cap-3f;
    p = p * z + 0x1.999d5ap-3f;
    p = p * z - 0x1.fffff8p-3f;
    p = p * z + 0x1.555554p-2f;
    return p * (z * (z * z));
}

FLASH_FN float flash_log_special_f32(float x, float value)
{
    value = x == flash_inf_f32() ? x : value;
    value = x == 0.0f ? -flash_inf_f32() : value;
    return x >= 0.0f ? value : flash_nan_f32();
}

FLASH_FN float flash_ln_f32(float x)
{
    float e;
    const float z = flash_split_f32(x, &e);
    const float y = (flash_ln_poly_f32(z) - e * 0x1.bd0106p-13f) - 0.5f * (z * z);
    return flash_log_special_f32(x, (z + y) + e * 0.693359375f);
}

FLASH_FN float flash_log2_f32(float x)
{
    const float more = 0x1.c551dap-2f;
    float e;
    const float z = flash_split_f32(x, &e);
    const float y = flash_ln_poly_f32(z) - 0.5f * (z * z);
    return flash_log_special_f32(x, (((y * more + z * more) + y) + z) + e);
}

FLASH_FN float flash_log10_f32(float x)
{
    const float least = 0x1.6f62a4p-11f;
    float e;
    const float z = flash_split_f32(x, &e);
    const float y = flash_ln_poly_f32(z) - 0.5f * (z * z);
    const float low = (y * least + z * least) + e * 0x1.04d42p-12f;
    const float most = (low + y * 0.43359375f) + z * 0.43359375f;
    return flash_log_special_f32(x, most + e * 0.30078125f);
}

FLASH_FN double flash_reduce_f32(float from, ulong *quadrant)
{
    const double bound = 0x1.921fb54442d18p-1 + 0x1.ad7f29abcaf48p-24;
    const double x = (double)from;
    const double t = x * 0x1.45f306dc9c883p-1 + 6755399441055744.0;
    const double k = t - 6755399441055744.0;
    const double r = (x - k * 0x1.921fb5p+0) - k * 0x1.110b4611a6263p-26;
    const double above = r < -bound ? -bound : r;
    *quadrant = flash_bits_f64(t);
    return above > bound ? bound : above;
}

FLASH_FN float flash_sin_cos_poly_f32(float r, float *c)
{
    const float z = r * r;
    const float s = (-0x1.9943f2p-13f * z + 0x1.11073cp-7f) * z - 0x1.555546p-3f;
    const float q = (0x1.99eb9cp-16f * z - 0x1.6c0c34p-10f) * z + 0x1.55554ap-5f;
    *c = (q * (z * z) - 0.5f * z) + 1.0f;
    return s * (z * r) + r;
}

FLASH_FN float flash_sin_f32(float x)
{
    ulong quadrant;
    float c;
    const double r = flash_reduce_f32(x, &quadrant);
    const float s = flash_sin_cos_poly_f32((float)r, &c);
    const uint bits = flash_bits_f32((quadrant & 1) == 0 ? s : c);
    return x == 0.0f ? x : flash_from_bits_f32(bits ^ (((uint)quadrant & 2u) << 30));
}

FLASH_FN float flash_cos_f32(float x)
{
    ulong quadrant;
    float c;
    const double r = flash_reduce_f32(x, &quadrant);
    const float s = flash_sin_cos_poly_f32((float)r, &c);
    const uint bits = flash_bits_f32((quadrant & 1) == 0 ? c : s);
    return flash_from_bits_f32(bits ^ ((((uint)quadrant + 1u) & 2u) << 30));
}

FLASH_FN float flash_tan_f32(float x)
{
    ulong quadrant;
    double c;
    const double r = flash_reduce_f32(x, &quadrant);
    const double s = flash_sin_cos_poly_f64(r, 0.0, &c);
    const int even = (quadrant & 1) == 0;
    const double value = (even ? s : -c) / (even ? c : s);
    return x == 0.0f ? x : (float)value;
}

FLASH_FN float flash_tanh_f32(float x)
{
    const float a = flash_abs_f32(x);
    const float z = x * x;
    float p = -0x1.75e1d4p-8f;
    p = p * z + 0x1.52269cp-6f;
    p = p * z - 0x1.b83c5ap-5f;
    p = p * z + 0x1.110726p-3f;
    p = p * z - 0x1.555532p-2f;
    const float small = p * (z * x) + x;
    const float below = 1.0f - 2.0f / (flash_exp_f32(2.0f * a) + 1.0f);
    const float large = flash_copysign_f32(below, x);
    return x == 0.0f ? x : (a < 0.625f ? small : large);
}

FLASH_FN float flash_atan_f32(float from)
{
    const float a = flash_abs_f32(from);
    const int high = a > 0x1.3504f4p+1f;
    const int middle = a > 0x1.a8279ap-2f;
    const float n = high ? -1.0f : (middle ? a - 1.0f : a);
    const float d = high ? a : (middle ? a + 1.0f : 1.0f);
    const float y = high ? 0x1.921fb6p+0f : (middle ? 0x1.921fb6p-1f : 0.0f);
    const float x = n / d;
    const float z = x * x;
    float p = 0x1.49e1a2p-4f;
    p = p * z - 0x1.1c370ap-3f;
    p = p * z + 0x1.9924bep-3f;
    p = p * z - 0x1.555454p-2f;
    const float value = y + (p * (z * x) + x);
    return from == 0.0f ? from : flash_copysign_f32(value, from);
}

FLASH_FN float flash_atan2_f32(float y, float x)
{
    return (float)flash_atan2_f64((double)y, (double)x);
}

FLASH_FN float flash_pow_f32(float base, float power)
{
    const double x = (double)base;
    const double y = (double)power;
    const double value = flash_exp2_f64(y * flash_log2_f64(flash_abs_f64(x)));
    return (float)flash_pow_special_f64(x, y, value);
}

FLASH_FN float flash_erf_f32(float x)
{
    const float a = flash_abs_f32(x);
    const float s = x * x;
    float p = -0x1.38355ep-11f;
    p = p * s + 0x1.46cb34p-8f;
    p = p * s - 0x1.b6796ep-6f;
    p = p * s + 0x1.ce194cp-4f;
    p = p * s - 0x1.8126ep-2f;
    p = p * s + 0x1.06eba6p-3f;
    const float small = p * x + x;
    const float t = a > 4.0f ? 4.0f : a;
    float q = -0x1.18cd16p-20f;
    q = q * t + 0x1.2078c2p-15f;
    q = q * t - 0x1.058728p-11f;
    q = q * t + 0x1.1a0d9ap-8f;
    q = q * t - 0x1.9be2eap-6f;
    q = q * t + 0x1.b9c6d8p-4f;
    q = q * t + 0x1.44af12p-1f;
    q = q * t + 0x1.07fe3p-3f;
    const float below = 1.0f - flash_exp_f32(-(q * t + t));
    const float large = flash_copysign_f32(below, x);
    return x == 0.0f ? x : (a < 0x1.d9999ap-1f ? small : large);
}

FLASH_FN float flash_hypot_f32(float x, float y)
{
    const float infinity = flash_inf_f32();
    const int infinite = (flash_abs_f32(x) == infinity) | (flash_abs_f32(y) == infinity);
    const double a = (double)x;
    const double b = (double)y;
    return infinite ? infinity : (float)flash_sqrt_f64(a * a + b * b);
}
