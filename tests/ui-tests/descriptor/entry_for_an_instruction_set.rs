//! A function compiled for instructions that a processor may lack is no entry for every processor.

use flash::__private::rt::Block;
use flash::__private::rt::descriptor::Entries;
use flash::__private::rt::entry::Args;

#[target_feature(enable = "avx512f")]
fn fill(_args: &mut Args<'_>, _block: &Block) {}

static ENTRIES: Entries = Entries::portable(fill);

fn main() {
    println!("{ENTRIES:?}");
}
