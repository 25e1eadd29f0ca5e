use flash::prelude::*;

#[flash::kernel]
fn scale(a: f32, x: &mut [f32]) {
    x[global_id(0)] = a * x[global_id(0)];
}

fn main() {
    let rt = Runtime::new().unwrap();
    let mut x = Buffer::from(vec![1.0_f32; 8]);
    let _p = flash_pipeline! { in rt;
        scale(2.0, &mut x)[8];
        swap(x);
    };
}
