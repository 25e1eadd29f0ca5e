//! Where the real inputs of the examples are. It reads none of them.

use std::path::{Path, PathBuf};

/// 48 frames of *Big Buck Bunny*, 320x180, 4:2:0; see `assets/NOTICE.md`.
pub fn video() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/big_buck_bunny_320x180_48f.y4m")
}

/// The line that a picture made from the video carries.
pub const VIDEO_CREDIT: &str = "Big Buck Bunny (c) 2008 Blender Foundation, CC BY 3.0";
