// Functions of floats that have one text for both: @T is the type and @S its name, @U the unsigned
// integer of its bits and @V its name, @W its bits, @M those of the mantissa. Not the elementary ones.

FLASH_FN @T flash_abs_@S(@T x)
{
    return flash_from_bits_@S(flash_bits_@S(x) & (~(@U)0 >> 1));
}

FLASH_FN @T flash_copysign_@S(@T x, @T sign)
{
    const @U mask = ~(@U)0 >> 1;
    return flash_from_bits_@S((flash_bits_@S(x) & mask) | (flash_bits_@S(sign) & ~mask));
}

FLASH_FN @U flash_to_bits_@S(@T x)
{
    return flash_bits_@S(x);
}

FLASH_FN @T flash_from_bits_@V(@U x)
{
    return flash_from_bits_@S(x);
}

// Whether digits may stand behind the point; not of a NaN. A driver that rounds by way of integers has no
// result for anything else, and its compiler takes what follows for unreachable where it sees that.
FLASH_FN int flash_has_digits_@S(@T x)
{
    return flash_abs_@S(x) < (@T)((@U)1 << @M);
}

FLASH_FN @T flash_floor_@S(@T x)
{
    return flash_has_digits_@S(x) ? flash_driver_floor_@S(x) : x;
}

FLASH_FN @T flash_ceil_@S(@T x)
{
    return flash_has_digits_@S(x) ? flash_driver_ceil_@S(x) : x;
}

FLASH_FN @T flash_trunc_@S(@T x)
{
    return flash_has_digits_@S(x) ? flash_driver_trunc_@S(x) : x;
}

FLASH_FN @T flash_round_ties_even_@S(@T x)
{
    return flash_has_digits_@S(x) ? flash_driver_rint_@S(x) : x;
}

FLASH_FN int flash_is_nan_@S(@T x)
{
    return x != x;
}

FLASH_FN int flash_is_finite_@S(@T x)
{
    const @U top = (@U)1 << (@W - 1);
    return (flash_bits_@S(x) & ~top) < top - ((@U)1 << @M);
}

FLASH_FN @T flash_inf_@S(void)
{
    return flash_from_bits_@S(((@U)1 << (@W - 1)) - ((@U)1 << @M));
}

FLASH_FN @T flash_nan_@S(void)
{
    return flash_from_bits_@S(((@U)1 << (@W - 1)) - ((@U)1 << (@M - 1)));
}

FLASH_FN @T flash_min_@S(@T a, @T b)
{
    return ((b < a) | (a != a)) ? b : a;
}

FLASH_FN @T flash_max_@S(@T a, @T b)
{
    return ((b > a) | (a != a)) ? b : a;
}

FLASH_FN @T flash_clamp_@S(@T x, @T lo, @T hi)
{
    const @T low = x < lo ? lo : x;
    return low > hi ? hi : low;
}

FLASH_FN @T flash_signum_@S(@T x)
{
    return x != x ? x : flash_copysign_@S((@T)1, x);
}

FLASH_FN @T flash_rsqrt_@S(@T x)
{
    return (@T)1 / flash_sqrt_@S(x);
}

FLASH_FN @T flash_recip_@S(@T x)
{
    return (@T)1 / x;
}

FLASH_FN @T flash_round_@S(@T x)
{
    const @T whole = flash_trunc_@S(x);
    const @T next = whole + flash_copysign_@S((@T)1, x);
    return flash_abs_@S(x - whole) >= (@T)0.5f ? next : whole;
}

FLASH_FN @T flash_fract_@S(@T x)
{
    return x - flash_trunc_@S(x);
}

FLASH_FN @T flash_powi_@S(@T x, int n)
{
    uint rest = n < 0 ? 0u - (uint)n : (uint)n;
    @T square = x;
    @T product = (@T)1;
    while (rest != 0u) {
        if ((rest & 1u) == 1u) {
            product *= square;
        }
        rest >>= 1;
        square *= square;
    }
    return n < 0 ? (@T)1 / product : product;
}

// The remainder of a division that rounds towards zero, by long division of the mantissas.
FLASH_FN @T flash_rem_@S(@T x, @T y)
{
    const @U top = (@U)1 << (@W - 1);
    const @U unit = (@U)1 << @M;
    const @U infinite = top - unit;
    const @U sign = flash_bits_@S(x) & top;
    @U a = flash_bits_@S(x) & ~top;
    @U b = flash_bits_@S(y) & ~top;
    if (a >= infinite || b > infinite || b == 0) {
        return flash_nan_@S();
    }
    if (a < b) {
        return x;
    }
    // A subnormal number has the exponent 1 and no leading bit.
    int steps = (int)(a >> @M);
    int exponent = (int)(b >> @M);
    a = (a & (unit - 1)) | (steps == 0 ? (@U)0 : unit);
    b = (b & (unit - 1)) | (exponent == 0 ? (@U)0 : unit);
    steps = steps == 0 ? 1 : steps;
    exponent = exponent == 0 ? 1 : exponent;
    @U rest = a % b;
    for (steps -= exponent; steps > 0 && rest != 0; steps--) {
        rest <<= 1;
        rest = rest >= b ? rest - b : rest;
    }
    if (rest == 0) {
        return flash_from_bits_@S(sign);
    }
    int shift = (int)flash_clz_@V(rest) - (@W - 1 - @M);
    shift = shift > exponent - 1 ? exponent - 1 : shift;
    rest = (rest << shift) + ((@U)(exponent - 1 - shift) << @M);
    return flash_from_bits_@S(sign | rest);
}

FLASH_FN @T flash_rem_euclid_@S(@T x, @T y)
{
    const @T rest = flash_rem_@S(x, y);
    return rest < (@T)0 ? rest + flash_abs_@S(y) : rest;
}

FLASH_FN @T flash_div_euclid_@S(@T x, @T y)
{
    const @T whole = flash_trunc_@S(x / y);
    const @T next = y > (@T)0 ? whole - (@T)1 : whole + (@T)1;
    return flash_rem_@S(x, y) < (@T)0 ? next : whole;
}
