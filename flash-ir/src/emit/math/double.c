// Elementary functions of `double`, step for step those of `math/double.rs`, where they are
// explained. Not the fast ones.

FLASH_FN double flash_round_to_f64(double x)
{
    return (x + 6755399441055744.0) - 6755399441055744.0;
}

FLASH_FN double flash_pow2_f64(double k)
{
    return flash_from_bits_f64(flash_bits_f64(k + (6755399441055744.0 + 1023.0)) << 52);
}

FLASH_FN double flash_scale_f64(double p, double k)
{
    const double part = flash_round_to_f64(k * 0.5);
    return p * flash_pow2_f64(part) * flash_pow2_f64(k - part);
}

FLASH_FN double flash_high_f64(double x)
{
    return flash_from_bits_f64((flash_bits_f64(x) >> 32) << 32);
}

FLASH_FN double flash_exp_poly_f64(double r)
{
    double p = 0x1.af38c67fbb53ep-26;
    p = p * r + 0x1.28919ccaf9211p-22;
    p = p * r + 0x1.71de0da24602dp-19;
    p = p * r + 0x1.a019b8f9792eep-16;
    p = p * r + 0x1.a01a01a7c73cp-13;
    p = p * r + 0x1.6c16c17890eb4p-10;
    p = p * r + 0x1.11111111109afp-7;
    p = p * r + 0x1.5555555553d56p-5;
    p = p * r + 0x1.5555555555555p-3;
    p = p * r + 0x1.0000000000001p-1;
    return p * (r * r) + r + 1.0;
}

FLASH_FN double flash_exp_f64(double x)
{
    x = x < -746.0 ? -746.0 : x;
    x = x > 710.0 ? 710.0 : x;
    const double k = flash_round_to_f64(x * 0x1.71547652b82fep+0);
    const double r = (x - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;
    return flash_scale_f64(flash_exp_poly_f64(r), k);
}

FLASH_FN double flash_exp2_f64(double x)
{
    x = x < -1080.0 ? -1080.0 : x;
    x = x > 1025.0 ? 1025.0 : x;
    const double k = flash_round_to_f64(x);
    return flash_scale_f64(flash_exp_poly_f64((x - k) * 0x1.62e42fefa39efp-1), k);
}

// An exponent with its bias as a number without it, by its bits.
FLASH_FN double flash_exponent_f64(ulong biased)
{
    const ulong two_52 = (ulong)1075 << 52;
    return flash_from_bits_f64(biased | two_52) - (4503599627370496.0 + 1023.0);
}

FLASH_FN double flash_split_f64(double x, double *e)
{
    const ulong root = ((ulong)0x3fe6a09eu << 32) | 0x667f3bcdu;
    const int tiny = x < 0x1.0p-1022;
    const ulong bits = flash_bits_f64(tiny ? x * 18014398509481984.0 : x) - root;
    const double m = flash_from_bits_f64((bits & (((ulong)1 << 52) - 1)) + root);
    *e = flash_exponent_f64((bits + ((ulong)1023 << 52)) >> 52) - (tiny ? 54.0 : 0.0);
    return m - 1.0;
}

FLASH_FN double flash_ln_poly_f64(double f, double *rest)
{
    const double s = f / (2.0 + f);
    const double z = s * s;
    double p = 0x1.2f112df3e5244p-3;
    p = p * z + 0x1.39a09d078c69fp-3;
    p = p * z + 0x1.7466496cb03dep-3;
    p = p * z + 0x1.c71c51d8e78afp-3;
    p = p * z + 0x1.2492494229359p-2;
    p = p * z + 0x1.999999997fa04p-2;
    p = p * z + 0x1.5555555555593p-1;
    const double square = 0.5 * f * f;
    *rest = s * (square + p * z);
    return square;
}

FLASH_FN double flash_log_special_f64(double x, double value)
{
    value = x == flash_inf_f64() ? x : value;
    value = x == 0.0 ? -flash_inf_f64() : value;
    return x >= 0.0 ? value : flash_nan_f64();
}

FLASH_FN double flash_ln_f64(double x)
{
    double e, rest;
    const double f = flash_split_f64(x, &e);
    const double square = flash_ln_poly_f64(f, &rest);
    const double low = square - (rest + e * 0x1.a39ef35793c76p-33);
    return flash_log_special_f64(x, e * 0x1.62e42feep-1 - (low - f));
}

FLASH_FN double flash_ln_parts_f64(double f, double *lo)
{
    double rest;
    const double square = flash_ln_poly_f64(f, &rest);
    const double hi = flash_high_f64(f - square);
    *lo = ((f - hi) - square) + rest;
    return hi;
}

FLASH_FN double flash_log2_f64(double x)
{
    const double high = 0x1.71547652p+0;
    const double low = 0x1.705fc2eefa2p-33;
    double e, lo;
    const double f = flash_split_f64(x, &e);
    const double hi = flash_ln_parts_f64(f, &lo);
    const double value = hi * high;
    const double rest = (lo + hi) * low + lo * high;
    const double sum = e + value;
    return flash_log_special_f64(x, (rest + ((e - sum) + value)) + sum);
}

FLASH_FN double flash_log10_f64(double x)
{
    const double high = 0x1.bcb7b152p-2;
    const double low = 0x1.b9438ca9aadd5p-36;
    double e, lo;
    const double f = flash_split_f64(x, &e);
    const double hi = flash_ln_parts_f64(f, &lo);
    const double value = hi * high;
    const double whole = e * 0x1.34413509f6p-2;
    const double rest = e * 0x1.9fef311f12b36p-42 + (lo + hi) * low + lo * high;
    const double sum = whole + value;
    return flash_log_special_f64(x, (rest + ((whole - sum) + value)) + sum);
}

FLASH_FN double flash_reduce_f64(double x, double *rest, ulong *quadrant)
{
    const double bound = 0x1.921fb54442d18p-1 + 0x1.203af9ee75616p-50;
    const double t = x * 0x1.45f306dc9c883p-1 + 6755399441055744.0;
    const double k = t - 6755399441055744.0;
    const double a = x - k * 0x1.921fb544p+0;
    const double w = k * 0x1.0b4611a6p-34;
    const double b = a - w;
    const double back = b - a;
    const double lost = (a - (b - back)) - (w + back);
    const double tail = lost - k * 0x1.3198a2e037073p-69;
    const double r = b + tail;
    const double more = (b - r) + tail;
    const double above = r < -bound ? -bound : r;
    *rest = flash_abs_f64(more) < 0x1.12e0be826d695p-30 ? more : 0.0;
    *quadrant = flash_bits_f64(t);
    return above > bound ? bound : above;
}

FLASH_FN double flash_sin_cos_poly_f64(double r, double rest, double *c)
{
    const double z = r * r;
    double p = 0x1.5d93a5acfd57cp-33;
    p = p * z - 0x1.ae5e68a2b9cebp-26;
    p = p * z + 0x1.71de357b1fe7dp-19;
    p = p * z - 0x1.a01a019c161d5p-13;
    p = p * z + 0x1.111111110f8a6p-7;
    const double v = z * r;
    double q = -0x1.8fae9be8838d4p-37;
    q = q * z + 0x1.1ee9ebdb4b1c4p-29;
    q = q * z - 0x1.27e4f809c52adp-22;
    q = q * z + 0x1.a01a019cb159p-16;
    q = q * z - 0x1.6c16c16c15177p-10;
    q = q * z + 0x1.555555555554cp-5;
    const double square = 0.5 * z;
    const double w = 1.0 - square;
    *c = w + (((1.0 - w) - square) + (z * (z * q) - r * rest));
    return r - ((z * (0.5 * rest - v * p) - rest) - v * -0x1.5555555555549p-3);
}

FLASH_FN double flash_sin_f64(double x)
{
    double rest, c;
    ulong quadrant;
    const double r = flash_reduce_f64(x, &rest, &quadrant);
    const double s = flash_sin_cos_poly_f64(r, rest, &c);
    const ulong bits = flash_bits_f64((quadrant & 1) == 0 ? s : c);
    return x == 0.0 ? x : flash_from_bits_f64(bits ^ ((quadrant & 2) << 62));
}

FLASH_FN double flash_cos_f64(double x)
{
    double rest, c;
    ulong quadrant;
    const double r = flash_reduce_f64(x, &rest, &quadrant);
    const double s = flash_sin_cos_poly_f64(r, rest, &c);
    const ulong bits = flash_bits_f64((quadrant & 1) == 0 ? c : s);
    return flash_from_bits_f64(bits ^ (((quadrant + 1) & 2) << 62));
}

FLASH_FN double flash_tan_f64(double x)
{
    double rest, c;
    ulong quadrant;
    const double r = flash_reduce_f64(x, &rest, &quadrant);
    const double s = flash_sin_cos_poly_f64(r, rest, &c);
    const int even = (quadrant & 1) == 0;
    const double value = (even ? s : -c) / (even ? c : s);
    return x == 0.0 ? x : value;
}

FLASH_FN double flash_tanh_f64(double x)
{
    const double a = flash_abs_f64(x);
    const double z = x * x;
    double p = -0x1.edc5baafd6f4bp-1 * z - 0x1.8d26a0e26682dp+6;
    p = p * z - 0x1.93ac030580563p+10;
    double q = z + 0x1.c33f28a581b86p+6;
    q = q * z + 0x1.176fa0e5535fap+11;
    q = q * z + 0x1.2ec102442040cp+12;
    const double small = x + x * (z * (p / q));
    const double below = 1.0 - 2.0 / (flash_exp_f64(2.0 * a) + 1.0);
    const double large = flash_copysign_f64(below, x);
    return x == 0.0 ? x : (a < 0.625 ? small : large);
}

FLASH_FN double flash_atan_positive_f64(double a)
{
    const double low = 0x1.1a62633145c07p-54;
    const int far = a > 0x1.3504f333f9de6p+1;
    const int middle = a > 0x1.51eb851eb851fp-1;
    const double n = far ? -1.0 : (middle ? a - 1.0 : a);
    const double d = far ? a : (middle ? a + 1.0 : 1.0);
    const double y = far ? 0x1.921fb54442d18p+0 : (middle ? 0x1.921fb54442d18p-1 : 0.0);
    const double more = far ? low : (middle ? 0.5 * low : 0.0);
    const double x = n / d;
    const double z = x * x;
    double p = -0x1.c007fa1f72594p-1;
    p = p * z - 0x1.028545b6b807ap+4;
    p = p * z - 0x1.2c08c36880273p+6;
    p = p * z - 0x1.eb8bf2d05ba25p+6;
    p = p * z - 0x1.03669fd28ec8ep+6;
    double q = z + 0x1.8dbc45b14603cp+4;
    q = q * z + 0x1.4a0dd43b8fa25p+7;
    q = q * z + 0x1.b0e18d2e2be3bp+8;
    q = q * z + 0x1.e563f13b049eap+8;
    q = q * z + 0x1.8519efbbd62ecp+7;
    return y + ((x * (z * (p / q)) + x) + more);
}

FLASH_FN double flash_atan_f64(double x)
{
    const double value = flash_atan_positive_f64(flash_abs_f64(x));
    return x == 0.0 ? x : flash_copysign_f64(value, x);
}

FLASH_FN double flash_atan2_f64(double y, double x)
{
    const double a = flash_abs_f64(y);
    const double b = flash_abs_f64(x);
    double ratio = a / b;
    ratio = ((a == 0.0) & (b == 0.0)) ? 0.0 : ratio;
    ratio = ((a == flash_inf_f64()) & (b == flash_inf_f64())) ? 1.0 : ratio;
    const double angle = flash_atan_positive_f64(ratio);
    const int upright = angle >= 0x1.921fb54442d18p+0;
    const int negative = (int)(flash_bits_f64(x) >> 63);
    const double turned = 0x1.921fb54442d18p+1 - (angle - 0x1.1a62633145c07p-53);
    return flash_copysign_f64((negative & !upright) ? turned : angle, y);
}

FLASH_FN double flash_log2_double_f64(double a, double *low)
{
    const int tiny = a < 0x1.0p-1022;
    const ulong bits = flash_bits_f64(tiny ? a * 18014398509481984.0 : a);
    const ulong mantissa = bits & (((ulong)1 << 52) - 1);
    const ulong lower = ((ulong)0x3988eu << 32) | 0xffffffffu;
    const ulong higher = (ulong)0xbb67au << 32;
    const int middle = (mantissa > lower) & (mantissa < higher);
    const int upper = mantissa >= higher;
    double e = flash_exponent_f64((bits >> 52) & 0x7ff);
    e = e - (tiny ? 54.0 : 0.0) + (upper ? 1.0 : 0.0);
    double m = flash_from_bits_f64(mantissa | ((ulong)1023 << 52));
    m = upper ? m * 0.5 : m;
    const double bp = middle ? 1.5 : 1.0;
    const double dp_h = middle ? 0x1.2b8034p-1 : 0.0;
    const double dp_l = middle ? 0x1.cfdeb43cfd006p-27 : 0.0;
    double u = m - bp;
    double v = 1.0 / (m + bp);
    const double ss = u * v;
    const double s_h = flash_high_f64(ss);
    double t_h = flash_high_f64(m + bp);
    double t_l = m - (t_h - bp);
    const double s_l = v * ((u - s_h * t_h) - s_h * t_l);
    double s2 = ss * ss;
    double p = 0x1.a7e284a454eefp-3;
    p = p * s2 + 0x1.d864a93c9db65p-3;
    p = p * s2 + 0x1.17460a91d4101p-2;
    p = p * s2 + 0x1.55555518f264dp-2;
    p = p * s2 + 0x1.b6db6db6fabffp-2;
    p = p * s2 + 0x1.3333333333303p-1;
    const double r = s2 * s2 * p + s_l * (s_h + ss);
    s2 = s_h * s_h;
    t_h = flash_high_f64(3.0 + s2 + r);
    t_l = r - ((t_h - 3.0) - s2);
    u = s_h * t_h;
    v = s_l * t_h + t_l * ss;
    const double p_h = flash_high_f64(u + v);
    const double p_l = v - (p_h - u);
    const double z_h = 0x1.ec709ep-1 * p_h;
    const double z_l = -0x1.e2fe0145b01f5p-28 * p_h + p_l * 0x1.ec709dc3a03fdp-1 + dp_l;
    const double t1 = flash_high_f64(((z_h + z_l) + dp_h) + e);
    *low = z_l - (((t1 - e) - dp_h) - z_h);
    return t1;
}

FLASH_FN double flash_pow_special_f64(double x, double y, double value)
{
    const double two_52 = 4503599627370496.0;
    const double b = flash_abs_f64(y);
    const double shifted = b + two_52;
    const int whole = (shifted - two_52 == b) | (b >= two_52);
    const ulong low = b < two_52 ? flash_bits_f64(shifted) : flash_bits_f64(b);
    const int odd = whole & ((low & 1) == 1) & (b < 2.0 * two_52);
    const int stays = (flash_abs_f64(x) == 1.0) & (b == flash_inf_f64());
    value = stays ? 1.0 : value;
    const ulong sign = odd ? flash_bits_f64(x) & ((ulong)1 << 63) : (ulong)0;
    value = flash_from_bits_f64(flash_bits_f64(value) ^ sign);
    const int negative = (x < 0.0) & (x > -flash_inf_f64());
    const int outside = negative & !whole & (b < flash_inf_f64());
    value = outside ? flash_nan_f64() : value;
    return ((y == 0.0) | (x == 1.0)) ? 1.0 : value;
}

FLASH_FN double flash_pow_f64(double x, double y)
{
    const double infinity = flash_inf_f64();
    const double a = flash_abs_f64(x);
    double t2;
    double t1 = flash_log2_double_f64(a, &t2);
    const double y1 = flash_high_f64(y);
    double p_h = y1 * t1;
    double p_l = (y - y1) * t1 + y * t2;
    const int over = p_h > 1100.0;
    const int under = p_h < -1100.0;
    p_l = (over | under) ? 0.0 : p_l;
    p_h = over ? 1100.0 : p_h;
    p_h = under ? -1100.0 : p_h;
    const double k = flash_round_to_f64(p_h + p_l);
    p_h = p_h - k;
    double t = flash_high_f64(p_l + p_h);
    const double u = t * 6.93147182464599609375e-1;
    const double v = (p_l - (t - p_h)) * 0x1.62e42fefa39efp-1 + t * -0x1.05c610ca86c39p-29;
    const double z = u + v;
    const double w = v - (z - u);
    t = z * z;
    double p = 0x1.6376972bea4dp-25;
    p = p * t - 0x1.bbd41c5d26bf1p-20;
    p = p * t + 0x1.1566aaf25de2cp-14;
    p = p * t - 0x1.6c16c16bebd93p-9;
    p = p * t + 0x1.555555555553ep-3;
    t1 = z - t * p;
    const double r = (z * t1) / (t1 - 2.0) - (w + z * w);
    double value = flash_scale_f64(1.0 - (r - z), k);
    double edge = (a == 0.0) == (y > 0.0) ? 0.0 : infinity;
    value = ((a == 0.0) | (a == infinity)) ? edge : value;
    edge = (a > 1.0) == (y > 0.0) ? infinity : 0.0;
    value = flash_abs_f64(y) == infinity ? edge : value;
    value = ((x != x) | (y != y)) ? flash_nan_f64() : value;
    return flash_pow_special_f64(x, y, value);
}

FLASH_FN double flash_erf_f64(double x)
{
    const double a = flash_abs_f64(x);
    const double s = x * x;
    double p = -0x1.ac641bc040b1p-31;
    p = p * s + 0x1.d75aba73d5ca8p-27;
    p = p * s - 0x1.5c10c8957465dp-23;
    p = p * s + 0x1.b981799c363d2p-20;
    p = p * s - 0x1.f4ca7a42278fdp-17;
    p = p * s + 0x1.f9a2bdb8fcb67p-14;
    p = p * s - 0x1.c02db0604590bp-11;
    p = p * s + 0x1.565bccfa1cce7p-8;
    p = p * s - 0x1.b82ce31202513p-6;
    p = p * s + 0x1.ce2f21a040f2p-4;
    p = p * s - 0x1.812746b0379cp-2;
    p = p * s + 0x1.06eba8214db68p-3;
    const double small = p * x + x;
    double t = a > 6.0 ? 6.0 : a;
    t = t < 1.0 ? 1.0 : t;
    const double u = (t - 3.0) / (t + 3.0);
    double q = 0x1.2066208a8ac8fp-21;
    q = q * u + 0x1.f0edf6b147ee7p-20;
    q = q * u - 0x1.25c7016eb29d7p-20;
    q = q * u - 0x1.757c8924f7bap-17;
    q = q * u + 0x1.b2d71adc46dfdp-18;
    q = q * u + 0x1.21587760dd67dp-14;
    q = q * u - 0x1.62e094bbc7f85p-14;
    q = q * u - 0x1.b09587dda75bp-12;
    q = q * u + 0x1.45d0026ed0d2ap-10;
    q = q * u + 0x1.dd888e4c457fp-11;
    q = q * u - 0x1.cb66d247c9cb4p-7;
    q = q * u + 0x1.7bb38c254c8d6p-5;
    q = q * u - 0x1.870b49f530537p-4;
    q = q * u + 0x1.1e79b14a5ea43p-3;
    q = q * u - 0x1.2c33bbab98177p-3;
    q = q * u + 0x1.865fd27e52131p-4;
    q = q * u + 0x1.12f21ddd9f5e2p-1;
    double large = flash_copysign_f64(1.0 - flash_exp_f64(-(t * t)) * (q / t), x);
    large = x != x ? x : large;
    return x == 0.0 ? x : (a < 1.0 ? small : large);
}

FLASH_FN double flash_hypot_f64(double x, double y)
{
    const double infinity = flash_inf_f64();
    const double more = flash_from_bits_f64((ulong)(1023 + 600) << 52);
    const double less = flash_from_bits_f64((ulong)(1023 - 600) << 52);
    double a = flash_abs_f64(x);
    double b = flash_abs_f64(y);
    const int infinite = (a == infinity) | (b == infinity);
    const double most = a > b ? a : b;
    const int small = most < 0x1.e7c5f127bd87ep-466;
    const int large = most > 0x1.38d352e5096afp+498;
    const double down = small ? more : (large ? less : 1.0);
    const double up = small ? less : (large ? more : 1.0);
    a = a * down;
    b = b * down;
    const double value = flash_sqrt_f64(a * a + b * b) * up;
    return infinite ? infinity : value;
}
