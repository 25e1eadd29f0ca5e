use flash::prelude::*;

fn main() {
    let rt = Runtime::new().unwrap();
    let (mut left, mut right) = (vec![1_u32; 8], vec![2_u32; 8]);
    let (a, b) = (Bound::new(&mut left), Bound::new(&mut right));
    let _p = flash_pipeline! { in rt;
        swap(a, b);
    };
}
