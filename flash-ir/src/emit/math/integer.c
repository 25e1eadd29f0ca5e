// Functions of integers with and without a sign: @T is the type and @S its name, @U the one without a
// sign of the same width and @W its bits, @P the one in which arithmetic wraps and @V its name. A
// product of two `ushort` would overflow an `int`, hence @P. No division by zero is caught here.

FLASH_FN @T flash_min_@S(@T a, @T b)
{
    return b < a ? b : a;
}

FLASH_FN @T flash_max_@S(@T a, @T b)
{
    return b > a ? b : a;
}

FLASH_FN @T flash_clamp_@S(@T x, @T lo, @T hi)
{
    const @T low = lo > x ? lo : x;
    return hi < low ? hi : low;
}

FLASH_FN @T flash_wrapping_add_@S(@T a, @T b)
{
    return (@T)(@U)((@P)a + (@P)b);
}

FLASH_FN @T flash_wrapping_sub_@S(@T a, @T b)
{
    return (@T)(@U)((@P)a - (@P)b);
}

FLASH_FN @T flash_wrapping_mul_@S(@T a, @T b)
{
    return (@T)(@U)((@P)a * (@P)b);
}

FLASH_FN @T flash_wrapping_neg_@S(@T a)
{
    return (@T)(@U)((@P)0 - (@P)a);
}

FLASH_FN @U flash_abs_diff_@S(@T a, @T b)
{
    return (@U)(a < b ? (@P)b - (@P)a : (@P)a - (@P)b);
}

FLASH_FN @T flash_rotate_left_@S(@T a, uint n)
{
    const @P x = (@P)(@U)a;
    return (@T)(@U)((x << (n & (@W - 1u))) | (x >> ((0u - n) & (@W - 1u))));
}

FLASH_FN @T flash_rotate_right_@S(@T a, uint n)
{
    const @P x = (@P)(@U)a;
    return (@T)(@U)((x >> (n & (@W - 1u))) | (x << ((0u - n) & (@W - 1u))));
}

FLASH_FN uint flash_count_ones_@S(@T a)
{
    return (uint)flash_popcount_@V((@P)(@U)a);
}

FLASH_FN uint flash_leading_zeros_@S(@T a)
{
    return (uint)flash_clz_@V((@P)(@U)a) - ((uint)sizeof(@P) - (uint)sizeof(@T)) * 8u;
}

FLASH_FN uint flash_trailing_zeros_@S(@T a)
{
    const @P x = (@P)(@U)a;
    return (uint)flash_popcount_@V((@P)(@U)(~x & (x - 1u)));
}
