// Functions of integers without a sign, in the letters of `integer.c`. Not those of all integers.

FLASH_FN @T flash_saturating_add_@S(@T a, @T b)
{
    const @T sum = (@T)((@P)a + (@P)b);
    return sum < a ? (@T)~(@P)0 : sum;
}

FLASH_FN @T flash_saturating_sub_@S(@T a, @T b)
{
    return a > b ? (@T)((@P)a - (@P)b) : (@T)0;
}

FLASH_FN @T flash_rem_euclid_@S(@T a, @T b)
{
    return (@T)(a % b);
}

FLASH_FN @T flash_div_euclid_@S(@T a, @T b)
{
    return (@T)(a / b);
}
