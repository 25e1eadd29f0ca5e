//! One suite for every backend: what the contract promises, checked through the contract and
//! through pipelines. Each function panics where a promise is broken; none times anything.

pub mod kernels;
