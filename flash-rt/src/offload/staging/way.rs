//! Which way a copy goes, and from or to where on the host. It lends nothing.

/// Where the bytes of the host are, and which way they go.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// From there to the device.
    Up(*const u8),
    /// From the device to there.
    Down(*mut u8),
}
