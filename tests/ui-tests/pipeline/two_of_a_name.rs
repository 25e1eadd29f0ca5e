// Rule: where a macro and its caller both declare a name, a fragment names the one declared last.
use flash::{Buffer, Runtime, flash_pipeline};

#[flash::kernel]
fn add(a: u64, x: &mut [u64]) {
    let i = global_id(0);
    x[i] += a;
}

macro_rules! at {
    ($rt:ident, $x:ident, $k:expr) => {
        flash_pipeline! { in $rt;
            for i in 0..3_usize { add(i as u64, &mut $x.at($k))[4]; }
        }
    };
}

macro_rules! nested {
    ($rt:ident, $x:ident, $v:ident, $a:expr) => {
        flash_pipeline! { in $rt;
            for $v in 0..3_u64 {
                for i in 0..2_u64 { add(i + $a, &mut $x)[4]; }
            }
        }
    };
}

macro_rules! hidden {
    ($rt:ident, $x:ident, $v:ident, $a:expr) => {
        flash_pipeline! { in $rt;
            for $v in 0..3_u64 {
                let i = 5;
                add(i + $a, &mut $x)[4];
            }
        }
    };
}

macro_rules! closure {
    ($rt:ident, $x:ident, $v:ident, $a:expr) => {
        flash_pipeline! { in $rt;
            for $v in 0..3_u64 {
                let sum = (0..4).map(|i| i + $a).sum::<u64>();
                add(sum, &mut $x)[4];
            }
        }
    };
}

fn main() -> flash::Result<()> {
    let rt = Runtime::open("ALL_CPU")?;
    let rows = Buffer::<u64, 2>::zeros([4, 4]);
    let mut x = Buffer::<u64>::zeros(4);
    let i = 2;
    at!(rt, rows, i).exec()?;
    let i = 50;
    nested!(rt, x, i, i).exec()?;
    hidden!(rt, x, i, i).exec()?;
    closure!(rt, x, i, i).exec()?;
    Ok(())
}
