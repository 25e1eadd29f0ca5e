// Rule: a kernel is a free function.
struct Model;

impl Model {
    #[flash::kernel]
    fn k(&self, y: &mut [f32]) {
        y[global_id(0)] = 1.0;
    }
}

fn main() {}
