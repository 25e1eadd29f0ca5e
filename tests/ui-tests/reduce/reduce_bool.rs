// Rule: a `bool` is reduced by `&`, `|` or `^`.
#[flash::kernel]
fn k(x: &[u32], #[reduce(+)] any: &mut bool) {
    *any += x[global_id(0)] > 3;
}

#[flash::kernel]
fn fine(x: &[u32], #[reduce(|)] any: &mut bool) {
    *any |= x[global_id(0)] > 3;
}

fn main() {}
