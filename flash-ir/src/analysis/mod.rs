//! What can be said of a kernel without running it: which elements its accesses reach, what is the
//! same for all items, what an item costs. Answers are bounds; what is not known is said to be so.

mod cost;
mod facts;
mod footprint;
mod straight;
mod uniformity;
mod walk;

pub use cost::{Cost, cost};
pub use facts::{Facts, NoFacts};
pub use footprint::{Footprint, Held, Hull, Mode, Reach, footprints, hulls, inside, region};
pub use straight::straight;
pub use uniformity::{Uniformity, uniformity};
pub(crate) use walk::walk_expr;
pub use walk::{Node, walk};
