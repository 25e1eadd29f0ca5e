// Functions of integers with a sign, in the letters of `integer.c`. Not those that need none.

FLASH_FN @T flash_abs_@S(@T a)
{
    return a < 0 ? (@T)(@U)((@P)0 - (@P)a) : a;
}

FLASH_FN @T flash_signum_@S(@T a)
{
    return (@T)((a > 0) - (a < 0));
}

// The largest number, or the smallest one.
FLASH_FN @T flash_limit_@S(int smallest)
{
    return (@T)(@U)(((@P)1 << (@W - 1)) - (smallest ? (@P)0 : (@P)1));
}

FLASH_FN @T flash_saturating_add_@S(@T a, @T b)
{
    const @T sum = (@T)(@U)((@P)a + (@P)b);
    return ((a ^ sum) & (b ^ sum)) < 0 ? flash_limit_@S(a < 0) : sum;
}

FLASH_FN @T flash_saturating_sub_@S(@T a, @T b)
{
    const @T rest = (@T)(@U)((@P)a - (@P)b);
    return ((a ^ b) & (a ^ rest)) < 0 ? flash_limit_@S(a < 0) : rest;
}

FLASH_FN @T flash_rem_euclid_@S(@T a, @T b)
{
    const @T rest = (@T)(a % b);
    return rest < 0 ? (@T)(b < 0 ? rest - b : rest + b) : rest;
}

FLASH_FN @T flash_div_euclid_@S(@T a, @T b)
{
    const @T whole = (@T)(a / b);
    return a % b < 0 ? (@T)(b > 0 ? whole - 1 : whole + 1) : whole;
}
