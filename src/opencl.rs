//! What is particular to OpenCL: code of native nodes that submits to a queue of OpenCL, parts of
//! devices, and queues, contexts and memory of programs that use OpenCL themselves. Everything else
//! about it is reached through a runtime.

pub use flash_ocl::{
    Division, FPGA_KEY, KEY, NodeArray, NodeContext, OnOpenCl, Shares, adopt_context, adopt_memory,
    adopt_queue, divided, register, register_text,
};
