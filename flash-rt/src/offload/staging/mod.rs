//! Long copies of memory of the host that devices cannot reach themselves, or are slow to: piece by piece
//! through memory that they reach, which a few threads fill before and empty after. It knows neither that
//! memory nor commands of a device.

mod cut;
mod progress;
mod runs;
mod team;
mod way;

pub use cut::{cut, packed};
pub use progress::{Part, Progress, Stage};
pub use runs::{gather, scatter};
pub use team::{Team, Work};
pub use way::Way;
