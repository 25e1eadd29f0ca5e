//! A launch: what is asked of an entry, and how far the interpreter may go.
//!
//! Whether the entry admits it is checked by `Module::run`.

/// One launch of an entry.
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z; at most 1,024 in all.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The parameters, laid out as [`Entry::params`](crate::Entry::params) says.
    pub params: &'a [u8],
    /// Whether all blocks are to run side by side, so that they may wait for one another.
    pub cooperative: bool,
    /// How many threads of the host may take blocks; 1 runs them in turn, in the caller.
    pub host_threads: usize,
    /// How many instructions all warps together may execute; `u64::MAX` is no limit.
    pub steps: u64,
    /// Whether unordered accesses of shared memory are looked for, which takes time.
    pub races: bool,
}

impl Default for Launch<'_> {
    fn default() -> Self {
        Launch {
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared: 0,
            params: &[],
            cooperative: false,
            host_threads: 1,
            steps: u64::MAX,
            races: false,
        }
    }
}
