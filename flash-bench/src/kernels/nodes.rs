//! Nodes that do nothing but change a cell: what they read only orders them.

#[flash::kernel]
pub(crate) fn step(_a: &[u32], y: &mut [u32]) {
    y[global_id(0)] += 1;
}

#[flash::kernel]
pub(crate) fn step_alone(y: &mut [u32]) {
    y[global_id(0)] += 1;
}

#[flash::kernel(rank = 1)]
pub(crate) fn nothing(_x: &[u32]) {}

#[flash::kernel]
pub(crate) fn step_of_four(_a: &[u32], _b: &[u32], _c: &[u32], _d: &[u32], y: &mut [u32]) {
    y[global_id(0)] += 1;
}

#[flash::kernel]
pub(crate) fn next(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i] + 1;
}
