use flash::prelude::*;

fn main() {
    let rt = Runtime::new().unwrap();
    let mut x = Buffer::from(vec![1.0_f32; 8]);
    let _p = flash_pipeline! { in rt;
        for k in 0..2 {
            k.run(2.0, &mut x)[8];
        }
    };
}
