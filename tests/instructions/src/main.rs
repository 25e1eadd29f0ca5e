//! The launches whose instructions `tests/instructions.rs` counts: `instructions PATH TIMES`.

use flash::prelude::*;
use flash::{Error, Result};

const ITEMS: usize = 64;

#[flash::kernel(inputs = 2)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_default();
    let times: u64 = args.next().and_then(|times| times.parse().ok()).unwrap_or(1);
    let rt = Runtime::open("ALL_CPU")?;
    let x = Buffer::from(vec![1.0_f32; ITEMS]);
    let mut y = Buffer::from(vec![0.0_f32; ITEMS]);
    match path.as_str() {
        "written-out" => {
            for _ in 0..times {
                rt.submit(saxpy(0.5, &x, &mut y)).exec([ITEMS])?;
            }
        }
        "kept-plan" => {
            let mut plan = rt.pipeline();
            plan.push(saxpy(0.5, &x, &mut y).over([ITEMS]));
            for _ in 0..times {
                plan.exec()?;
            }
        }
        "loop" => {
            let n = times;
            flash_pipeline! { in rt;
                for _step in 0..n {
                    saxpy(0.5, &x, &mut y)[ITEMS];
                }
            }
            .exec()?;
        }
        other => {
            let why = "expected `written-out`, `kept-plan` or `loop`".to_owned();
            return Err(Error::Option { option: "PATH", value: other.to_owned(), why });
        }
    }
    assert_eq!(y.get(ITEMS - 1)?, times as f32 * 0.5, "every launch ran once");
    Ok(())
}
