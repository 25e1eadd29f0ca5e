use flash::prelude::*;

fn main() {
    let rt = Runtime::new().unwrap();
    let films = [Buffer::<f32>::zeros(8), Buffer::zeros(8)];
    let x = Buffer::from(vec![1.0_f32; 8]);
    let _p = flash_pipeline! { in rt;
        for k in 0..2 {
            swap(films[k], x);
        }
    };
}
