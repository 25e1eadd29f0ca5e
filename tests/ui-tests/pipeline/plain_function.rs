use flash::prelude::*;

fn plain(_x: &mut Buffer<f32>) {}

fn main() {
    let rt = Runtime::new().unwrap();
    let mut x = Buffer::from(vec![1.0_f32; 8]);
    let _p = flash_pipeline! { in rt;
        plain(&mut x);
    };
}
