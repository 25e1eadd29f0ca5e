// The functions of `fast_math` kernels of `float`, step for step those of `math/fast.rs` where
// multiply-adds are fused. None of them uses `double`.

FLASH_FN float flash_exp_poly_fast_f32(float r)
{
    float p = flash_mul_add_f32(0x1.6e879cp-10f, r, 0x1.11121p-7f);
    p = flash_mul_add_f32(p, r, 0x1.555382p-5f);
    p = flash_mul_add_f32(p, r, 0x1.555554p-3f);
    p = flash_mul_add_f32(p, r, 0x1.0p-1f);
    p = flash_mul_add_f32(p, r, 1.0f);
    return flash_mul_add_f32(p, r, 1.0f);
}

FLASH_FN float flash_exp_fast_f32(float x)
{
    x = x < -87.0f ? -87.0f : x;
    x = x > 0x1.617ae2p+6f ? 0x1.617ae2p+6f : x;
    const float t = flash_mul_add_f32(x, 0x1.715476p+0f, 12582912.0f + 127.0f);
    const float k = t - (12582912.0f + 127.0f);
    const float r = flash_mul_add_f32(k, 0x1.bd0106p-13f, flash_mul_add_f32(k, -0.693359375f, x));
    return flash_exp_poly_fast_f32(r) * flash_from_bits_f32(flash_bits_f32(t) << 23);
}

FLASH_FN float flash_exp2_fast_f32(float x)
{
    x = x < -126.0f ? -126.0f : x;
    x = x > 0x1.fdf5c2p+6f ? 0x1.fdf5c2p+6f : x;
    const float t = x + (12582912.0f + 127.0f);
    const float r = x - (t - (12582912.0f + 127.0f));
    const float p = flash_exp_poly_fast_f32(r * 0x1.62e43p-1f);
    return p * flash_from_bits_f32(flash_bits_f32(t) << 23);
}

FLASH_FN float flash_split_fast_f32(float x, float *e)
{
    const uint root = 0x3f3504f3u;
    const uint bits = flash_bits_f32(x) - root;
    *e = (float)((int)bits >> 23);
    return flash_from_bits_f32((bits & 0x7fffffu) + root) - 1.0f;
}

FLASH_FN float flash_ln_poly_fast_f32(float z)
{
    float p = flash_mul_add_f32(0x1.204376p-4f, z, -0x1.d7a37p-4f);
    p = flash_mul_add_f32(p, z, 0x1.de4a36p-4f);
    p = flash_mul_add_f32(p, z, -0x1.fcba9ep-4f);
    p = flash_mul_add_f32(p, z, 0x1.23d37ep-3f);
    p = flash_mul_add_f32(p, z, -0x1.555cap-3f);
    p = flash_mul_add_f32(p, z, 0x1.999d5ap-3f);
    p = flash_mul_add_f32(p, z, -0x1.fffff8p-3f);
    p = flash_mul_add_f32(p, z, 0x1.555554p-2f);
    p = flash_mul_add_f32(p, z, -0.5f);
    return flash_mul_add_f32(p, z * z, z);
}

FLASH_FN float flash_ln_fast_f32(float x)
{
    float e;
    const float z = flash_split_fast_f32(x, &e);
    return flash_mul_add_f32(e, 0x1.62e43p-1f, flash_ln_poly_fast_f32(z));
}

FLASH_FN float flash_log2_fast_f32(float x)
{
    float e;
    const float z = flash_split_fast_f32(x, &e);
    return flash_mul_add_f32(flash_ln_poly_fast_f32(z), 0x1.715476p+0f, e);
}

FLASH_FN float flash_log10_fast_f32(float x)
{
    float e;
    const float z = flash_split_fast_f32(x, &e);
    return flash_mul_add_f32(flash_ln_poly_fast_f32(z), 0x1.bcb7b2p-2f, e * 0x1.344136p-2f);
}

FLASH_FN float flash_sin_poly_fast_f32(float r)
{
    const float z = r * r;
    float p = flash_mul_add_f32(0x1.6178e2p-19f, z, -0x1.9fb48ep-13f);
    p = flash_mul_add_f32(p, z, 0x1.111048p-7f);
    p = flash_mul_add_f32(p, z, -0x1.555554p-3f);
    return flash_mul_add_f32(p, z * r, r);
}

FLASH_FN float flash_without_pi_fast_f32(float x, float k)
{
    const float r = flash_mul_add_f32(k, -0x1.921fb6p+1f, x);
    return flash_mul_add_f32(k, 0x1.777a5cp-24f, r);
}

FLASH_FN float flash_sin_fast_f32(float x)
{
    const float t = flash_mul_add_f32(x, 0x1.45f306p-2f, 12582912.0f);
    const float r = flash_without_pi_fast_f32(x, t - 12582912.0f);
    const uint bits = flash_bits_f32(flash_sin_poly_fast_f32(r));
    return flash_from_bits_f32(bits ^ (flash_bits_f32(t) << 31));
}

FLASH_FN float flash_cos_fast_f32(float x)
{
    const float t = flash_mul_add_f32(x, 0x1.45f306p-2f, -0.5f) + 12582912.0f;
    const float r = flash_without_pi_fast_f32(x, (t - 12582912.0f) + 0.5f);
    const uint bits = flash_bits_f32(flash_sin_poly_fast_f32(r));
    return flash_from_bits_f32(bits ^ (~flash_bits_f32(t) << 31));
}

FLASH_FN float flash_tan_fast_f32(float x)
{
    return flash_sin_fast_f32(x) / flash_cos_fast_f32(x);
}

FLASH_FN float flash_tanh_fast_f32(float x)
{
    const float z = x * x;
    float p = flash_mul_add_f32(-0x1.75e1d4p-8f, z, 0x1.52269cp-6f);
    p = flash_mul_add_f32(p, z, -0x1.b83c5ap-5f);
    p = flash_mul_add_f32(p, z, 0x1.110726p-3f);
    p = flash_mul_add_f32(p, z, -0x1.555532p-2f);
    const float small = flash_mul_add_f32(p, z * x, x);
    const float a = flash_abs_f32(x);
    const float below = 1.0f - 2.0f / (flash_exp_fast_f32(2.0f * a) + 1.0f);
    return a < 0.625f ? small : flash_copysign_f32(below, x);
}

FLASH_FN float flash_pow_fast_f32(float x, float y)
{
    return flash_exp2_fast_f32(y * flash_log2_fast_f32(x));
}

FLASH_FN float flash_erf_fast_f32(float x)
{
    const float a = flash_abs_f32(x);
    const float s = x * x;
    float p = flash_mul_add_f32(-0x1.38355ep-11f, s, 0x1.46cb34p-8f);
    p = flash_mul_add_f32(p, s, -0x1.b6796ep-6f);
    p = flash_mul_add_f32(p, s, 0x1.ce194cp-4f);
    p = flash_mul_add_f32(p, s, -0x1.8126ep-2f);
    p = flash_mul_add_f32(p, s, 0x1.06eba6p-3f);
    const float small = flash_mul_add_f32(p, x, x);
    const float t = a > 4.0f ? 4.0f : a;
    float q = flash_mul_add_f32(-0x1.18cd16p-20f, t, 0x1.2078c2p-15f);
    q = flash_mul_add_f32(q, t, -0x1.058728p-11f);
    q = flash_mul_add_f32(q, t, 0x1.1a0d9ap-8f);
    q = flash_mul_add_f32(q, t, -0x1.9be2eap-6f);
    q = flash_mul_add_f32(q, t, 0x1.b9c6d8p-4f);
    q = flash_mul_add_f32(q, t, 0x1.44af12p-1f);
    q = flash_mul_add_f32(q, t, 0x1.07fe3p-3f);
    const float below = 1.0f - flash_exp_fast_f32(-flash_mul_add_f32(q, t, t));
    return a < 0x1.d9999ap-1f ? small : flash_copysign_f32(below, x);
}
