use flash::prelude::*;

fn main() {
    let rt = Runtime::new().unwrap();
    let x = Buffer::from(vec![1.0_f32; 8]);
    let mut _kept = None;
    let _p = flash_pipeline! { in rt;
        Task::new("look", (&x,), |(x,)| _kept = Some(x));
    };
}
