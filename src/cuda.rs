//! What is particular to CUDA: code that comes while a program runs, code of native nodes that submits to a
//! stream of CUDA, and streams and memory of programs that use CUDA themselves. Everything else about it is
//! reached through a runtime.

pub use flash_cuda::{
    KEY, NodeArray, NodeContext, OnCuda, adopt_memory, adopt_stream, adopt_stream_with, register,
    register_code,
};
