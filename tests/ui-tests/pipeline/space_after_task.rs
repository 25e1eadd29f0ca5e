use flash::prelude::*;

#[flash::host_task]
fn look(_x: &[f32]) {}

fn main() {
    let rt = Runtime::new().unwrap();
    let x = Buffer::from(vec![1.0_f32; 8]);
    let _p = flash_pipeline! { in rt;
        look(&x)[8];
    };
}
