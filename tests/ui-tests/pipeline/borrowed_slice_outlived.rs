use flash::prelude::*;

#[flash::kernel]
fn scale(a: f32, x: &mut [f32]) {
    x[global_id(0)] = a * x[global_id(0)];
}

fn make(rt: &Runtime) -> Pipeline<'_> {
    let mut values = vec![1.0_f32; 8];
    flash_pipeline! { in rt;
        scale(2.0, &mut values)[8];
    }
}

fn main() {
    let rt = Runtime::new().unwrap();
    make(&rt).exec().unwrap();
}
