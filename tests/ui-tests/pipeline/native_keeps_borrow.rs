// What the code of a native node borrows has to outlive a pipeline that is launched.
use flash::prelude::*;

fn main() -> flash::Result<()> {
    let rt = Runtime::new()?;
    let mut x = Buffer::<f32>::zeros(4);
    let mut times = 0;
    let mut pipeline = rt.pipeline();
    pipeline.push(rt.native("count", (&mut x,)).on_sim(|_| times += 1));
    pipeline.launch().wait()?;
    Ok(())
}
