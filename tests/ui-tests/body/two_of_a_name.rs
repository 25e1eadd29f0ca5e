// Rule: where a macro and its caller both declare a name, a body names the one declared last.
macro_rules! kernel {
    ($name:ident($x:ident, $y:ident) $i:ident $t:ident $value:expr) => {
        #[flash::kernel]
        fn $name($x: &[f32], $y: &mut [f32]) {
            let $i = global_id(0);
            let $t = $x[$i];
            let t = 2.0 * $t;
            $y[$i] = $value + t;
        }
    };
}
kernel!(k(x, y) i t t + 1.0);

macro_rules! parameter {
    ($t:ident) => {
        #[flash::kernel]
        fn parameter(t: u32, x: &[u32], y: &mut [u32]) {
            let i = global_id(0);
            for $t in 0..4_u32 {
                y[i] = x[i] + $t - t;
            }
        }
    };
}
parameter!(t);

macro_rules! assigned {
    ($x:ident, $t:ident $($body:tt)*) => {
        #[flash::device]
        fn assigned($x: f32) -> f32 {
            let mut $t = $x;
            let mut t = 2.0 * $t;
            $($body)*
            t += $t;
            t
        }
    };
}
assigned!(x, t if x > 1.0 { t = 0.5; });

fn main() {}
