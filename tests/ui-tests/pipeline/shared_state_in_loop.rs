use flash::prelude::*;

#[flash::kernel]
fn scale(a: f32, x: &mut [f32]) {
    x[global_id(0)] = a * x[global_id(0)];
}

fn main() {
    let rt = Runtime::new().unwrap();
    let mut x = Buffer::from(vec![1.0_f32; 8]);
    let factor = std::rc::Rc::new(2.0_f32);
    let _p = flash_pipeline! { in rt;
        for k in 0..2 {
            scale(*factor + k as f32, &mut x)[8];
        }
    };
}
