use flash::prelude::*;

fn main() {
    let rt = Runtime::new().unwrap();
    let x = Buffer::from(vec![1.0_f32; 8]);
    let _p = flash_pipeline! { in rt;
        for k in 0..2 {
            Task::new("look", (&x,), |(x,)| assert!(x[[k]] > 0.0));
        }
    };
}
