// Memory that one stage borrows, in two stages.
use flash::prelude::*;

#[flash::kernel]
fn scale(a: f32, x: &mut [f32]) {
    let i = global_id(0);
    x[i] = a * x[i];
}

fn main() -> flash::Result<()> {
    let rt = Runtime::new()?;
    let mut x = vec![1.0_f32; 10];
    let mut y = Buffer::from(vec![1.0_f32; 10]);
    flash_pipeline! { in rt;
        scale(2.0, &mut x)[10];
        scale(2.0, &mut y)[10];
        scale(3.0, &mut y)[10];
        scale(3.0, &mut x)[10];
    }
    .exec()?;
    Ok(())
}
