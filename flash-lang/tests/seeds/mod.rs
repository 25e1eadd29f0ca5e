//! Valid inputs of every macro, which between them use every part of the language.

/// Arguments and item of kernels.
pub(crate) const KERNELS: &[(&str, &str)] = &[
    (
        "inputs = 2",
        "fn saxpy(a: f32, x: &[f32], y: &mut [f32]) { let i = global_id(0); y[i] = a * x[i] + y[i]; }",
    ),
    (
        "",
        "/// Edges.
         pub(crate) fn sobel(im: View<'_, u8, 2>, #[out(partial)] out: ViewMut<'_, u8, 2>) {
             let (j, i) = (global_id(1), global_id(0));
             let (h, w) = (im.extent(0), im.extent(1));
             if j > 0 && j + 1 < h && i > 0 && i + 1 < w {
                 let mut m = 0.0_f32;
                 for dj in 0..3 {
                     for di in 0..3 { m += K[dj][di] * im[[j + dj - 1, i + di - 1]] as f32; }
                 }
                 out[[j, i]] = math::sqrt(m * m) as u8;
             }
         }",
    ),
    (
        "deterministic, idempotent",
        "fn dot(x: &[f64], y: &[f64], #[reduce(+)] s: &mut f64, #[reduce(max, into)] m: &mut f64) {
             let i = global_id(0);
             *s += x[i] * y[i];
             *m = m.max(x[i]);
         }",
    ),
    ("requires(atomics)", "fn histogram(x: &[u8], bins: &[Atomic<u32>]) { bins[x[global_id(0)] as usize].fetch_add(1); }"),
    (
        "",
        "fn scatter(ix: &[u32], x: &[f32], y: &mut [f32]) {
             let i = global_id(0);
             unsafe { y[ix[i] as usize] = x[i]; }
             y[i] = 0.0;
         }",
    ),
    (
        "T = [f32, f64], N = [8, 16], fast_math",
        "fn blocked<T, const N: usize>(a: T, x: &[T], #[out] y: &mut [T]) {
             let i = global_id(0);
             let mut s = x[i];
             for k in (1..N).rev().step_by(2) { s += a * x[i + k]; }
             y[i] = s;
         }",
    ),
    (
        "inputs = 1, unsafe(cuda(file = \"a.cu\", entry = \"blur\", args(out, n = image.len()), \
         block(16, 16), grid(2), shared = 2048, family = \"sm_90\", guarded)), \
         unsafe(opencl(file = \"a.cl\"), fpga(path = \"a.aocx\"), cpu(path = \"a.so\", entry = \"f\"))",
        "fn blur(image: View<'_, f32, 2>, #[out] out: ViewMut<'_, f32, 2>);",
    ),
    (
        "crate = some::path, rank = 3",
        "fn heat(r: f32, first: usize, u: View<'_, f32, 3>, v: ViewMut<'_, f32, 3>) {
             let (k, j, i) = (global_id(2), global_id(1), global_id(0));
             if i >= u.extent(2) { return; }
             let c = u[[k, j, i]];
             let mut sum = 0.0;
             let mut at = 0;
             while at < 4 {
                 sum += if at % 2 == 0 { c } else { -c };
                 at += 1;
                 if sum > 100.0 { break; } else { continue; }
             }
             v[[k, j, i + first]] = r * sum;
         }",
    ),
    (
        "",
        "fn particles(n: usize, dt: f32, p: &mut [Particle], #[scratch(2 * n)] t: &mut [f32]) {
             let i = global_id(0);
             let mut v = [0.0; 3];
             for d in 0..=2 { v[d] = p[i].v[d] * dt; }
             t[i] = v[0];
             p[i].x += t[i] + v[1] + v[2];
             p[i] = Particle { x: p[i].x, v: [v[0], v[1], v[2]], id: p[i].id };
             let q = { let w = p[i].x; w + advance(w, dt) };
             p[i].x = f32::from_bits(q.to_bits() ^ 1).clamp(-1.0, consts::MAX);
         }",
    ),
    (
        "",
        "fn words(seed: u64, x: &mut [u64], #[reduce(^)] all: &mut u64, #[reduce(&)] both: &mut u64) {
             let i = global_id(0);
             let mut z = x[i].wrapping_add(seed) as u64;
             z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
             z <<= 3; z |= 1; z &= !2; z %= 1_000_003;
             let done = z > 10 || !(z < 3) && true;
             loop { z += 1; if z % 7 == 0 { break; } }
             x[i] = if done { z } else { 0 };
             *all ^= z;
             *both &= z;
         }",
    ),
    (
        "rank = 3, sort_by(z, 1), group_by(y), group_by(2, 4 * N), part_by = parts::of::<f32>, searchable(fuzzy), N = [8]",
        "fn heat_rows<const N: usize>(r: f32, u: ViewMut<'_, f32, 2>) {
             let i = global_id(0);
             let (old, new) = (phase() % 2, 1 - phase() % 2);
             let mut t = u[[old, i]] * global_size(2) as f32;
             for k in 0..phase() { t += k as f32; }
             if i > partition() { t += r * unsafe { u[[old, i - 1]] }; }
             u[[new, i]] = t;
         }",
    ),
    (
        "index_table(items, u64), searchable(fuzzy), rank = 2",
        "fn listed(x: &[f32], #[out] y: &mut [f32]);",
    ),
    (
        "part_by, group_by(x), searchable(exact)",
        "fn blocks(x: &[f32], #[out] y: &mut [f32]) { y[global_id(0)] = x[global_id(0) + 1]; }",
    ),
    (
        "",
        "fn columns(vars: ViewMut<'_, f32, 2>) {
             let i = global_id(0);
             for k in 0..vars.extent(0) { vars[[k, i]] *= global_size(0) as f32; }
             let _ = vars.len();
         }",
    ),
];

/// Device functions.
pub(crate) const DEVICES: &[&str] = &[
    "fn weight(m: f32) -> f32 { m * G }",
    "pub fn clip(x: f32, lo: f32, hi: f32) -> f32 { if x < lo { return lo; } if x > hi { hi } else { x } }",
    "fn pick(p: [f32; 3], i: usize) -> f32 { let mut s = 0.0; for k in 0..3 { if k == i { s = p[k]; } } s }",
];

/// Host tasks.
pub(crate) const HOST_TASKS: &[&str] = &[
    "fn store<W: Write + Send>(frame: View<'_, f32, 2>, #[out] sums: &mut [f64], n: &mut u32, \
     out: &Mutex<W>, mut step: usize) -> std::io::Result<()> { let x = frame.shape()?; Ok(()) }",
    "pub fn tick(progress: &Progress) { progress.tick(); }",
];

/// Structures.
pub(crate) const PODS: &[&str] = &[
    "#[repr(C)] struct Cell { rho: f32, id: u32, v: [f32; 3] }",
    "#[repr(C, align(8))] #[flash(crate = some::path)] pub(crate) struct Pair(pub f32, u32);",
];

/// Pipelines.
pub(crate) const PIPELINES: &[&str] = &[
    "in rt; saxpy(2.0, &x, &mut y)[n]; store(&y, &writer);",
    "in rt; for step in 0..n { let k = step * 2; flux(&a, &mut b)[n]; \
     for c in 0..=k { advance(c as f32, &film.at(step), &mut b)[w, h]; } store(&b); swap(a, b); }",
];
