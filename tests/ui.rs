//! Messages: what a mistake says, and at which token. What rustc words is pinned to one compiler. What must
//! compile is in `scopes/`.

use std::process::Command;

/// The toolchain of `rust-toolchain.toml`, whose wording the `.stderr` files hold.
const PINNED: &str = "1.95.0";

fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8(out.stdout).expect("a version is text")
}

/// Every fixture fails with the errors of its `.stderr` file. `TRYBUILD=overwrite` writes them.
#[test]
fn the_compiler_says_what_is_wrong() {
    let found = compiler();
    if found.split(' ').nth(1) != Some(PINNED) {
        println!("skipped: messages are pinned to rustc {PINNED}, this is {found}");
        return;
    }
    let fixtures = trybuild::TestCases::new();
    fixtures.compile_fail("ui-tests/*/*.rs");
}
