// Rule: indices and what they are compared with are `usize`, each said once.
#[flash::kernel]
fn offset(by: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i + by];
}

#[flash::kernel]
fn gather(at: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[at[i]];
}

#[flash::kernel]
fn counted(n: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let mut s = 0.0;
    for j in 0..n {
        s += x[j];
    }
    y[i] = s;
}

fn main() {}
