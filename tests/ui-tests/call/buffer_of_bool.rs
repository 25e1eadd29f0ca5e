// Elements that no device has.
use flash::prelude::*;


fn main() {
    let _ = Buffer::<bool>::zeros(8);
}
