//! What a run of the tests has to have.

/// Whether `FLASH_REQUIRE` has this.
pub fn required(what: &str) -> bool {
    std::env::var("FLASH_REQUIRE").is_ok_and(|all| all.split(',').any(|it| it == what))
}
