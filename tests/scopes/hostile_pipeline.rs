//! Names that the expansion of a pipeline must neither pick up nor hide.
#![allow(dead_code, non_camel_case_types, unused_imports, unused_macros, reason = "in the way")]

struct Option;
struct Some;
struct None;
struct Vec;
struct Lazy;
struct Env;
struct Pipeline;
struct Stage;
mod core {}
mod std {}
mod rt {}
mod dsl {}
mod lazy {}
fn stage() {}
fn pipeline() {}
macro_rules! vec {
    ($($t:tt)*) => {
        compile_error!("the macro of the scope")
    };
}

#[flash::kernel]
fn scale(a: f32, x: &mut [f32]) {
    let i = global_id(0);
    x[i] = a * x[i];
}

#[flash::host_task]
fn look(x: &[f32], step: usize, name: &str) {
    let (_, _, _) = (x.len(), step, name);
}

pub(crate) fn run_all() {
    let runtime = flash::Runtime::new().unwrap();
    let mut x = flash::Buffer::from([1.0_f32; 8].to_vec());
    // Locals of the names that the expansion uses are not touched.
    let (__pipeline, __env, __step0) = (2.0_f32, 3.0_f32, 5.0_f32);
    flash::flash_pipeline! { in runtime;
        let r#type = __pipeline;
        for step in 0..2 {
            let r#loop = step as f32 + __step0;
            scale(r#type * __env, &mut x)[8];
            scale(r#loop - __env, &mut x)[8 - step];
            look(&x, step, "all");
        }
        for r#fn in 0..1_u8 { scale(f32::from(r#fn) + 1.0, &mut x)[8]; }
    }
    .exec()
    .unwrap();
    assert!((x.get(0).unwrap() - 6.0 * 2.0 * 6.0 * 3.0).abs() < 1e-3);
}
