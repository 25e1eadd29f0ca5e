// What a native node is to fill is passed to be written.
use flash::prelude::*;
use flash::{Native, out};

fn main() {
    let x = Buffer::<f32>::zeros(4);
    let _ = Native::new("fill", (out(&x),)).on_host(|(mut x,)| x[[0]] = 1.0);
}
