use flash::prelude::*;

fn main() {
    let rt = Runtime::new().unwrap();
    let x = Buffer::from(vec![1.0_f32; 8]);
    let _p = flash_pipeline! { in rt;
        Task::new("look", &x, |x| assert!(x[[0]] > 0.0));
    };
}
