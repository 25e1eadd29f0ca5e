//! Meshes of cells with four faces each. They know nothing of what flows through them.

use std::collections::HashMap;

/// The neighbour of a face that lets nothing through.
pub(crate) const WALL: i32 = -1;
/// The neighbour of a face behind which is the far field.
pub(crate) const FAR: i32 = -2;

/// A face of a cell. Its normal points into the cell, and is as long as the face is large.
#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
pub(crate) struct Face {
    /// The cell on the other side, or [`WALL`], or [`FAR`].
    pub(crate) neighbour: i32,
    pub(crate) nx: f32,
    pub(crate) ny: f32,
    pub(crate) nz: f32,
}

/// A mesh.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    /// How large each cell is, for the length of its steps.
    pub(crate) area: Vec<f32>,
    /// The first face of all cells, then the second, ..
    pub(crate) faces: Vec<Face>,
}

impl Mesh {
    /// Squares in a plane, row by row. With a plate, a wall of eight cells stands across
    /// the middle of the wind.
    pub(crate) fn plate([w, h]: [usize; 2], plate: bool) -> Self {
        let n = w * h;
        let middle = w / 2;
        let mut faces = Vec::with_capacity(4 * n);
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            for i in 0..n {
                let (x, y) = (i % w, i / w);
                let shielded = plate && (h / 2 - 4..h / 2 + 4).contains(&y);
                let before = x + 1 == middle && dx == 1;
                let behind = x == middle && dx == -1;
                let neighbour = match (x.checked_add_signed(dx), y.checked_add_signed(dy)) {
                    _ if shielded && (before || behind) => WALL,
                    (Some(x), Some(y)) if x < w && y < h => (y * w + x) as i32,
                    _ => FAR,
                };
                faces.push(Face { neighbour, nx: -dx as f32, ny: -dy as f32, nz: 0.0 });
            }
        }
        Self { area: vec![1.0; n], faces }
    }

    /// A block of cubes, each cut into six tetrahedra along its diagonal.
    pub(crate) fn tetrahedra(cubes: [usize; 3]) -> Self {
        const ORDERS: [[usize; 3]; 6] =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut cells = Vec::new();
        for k in 0..cubes.iter().product() {
            let corner = [k % cubes[0], k / cubes[0] % cubes[1], k / cubes[0] / cubes[1]];
            for order in ORDERS {
                let mut place = corner;
                let mut cell = [corner; 4];
                for (axis, point) in order.into_iter().zip(&mut cell[1..]) {
                    place[axis] += 1;
                    *point = place;
                }
                cells.push(cell);
            }
        }
        Self::of_cells(&cells)
    }

    /// From the corners of the cells. Faces with the same corners are the same.
    fn of_cells(cells: &[[[usize; 3]; 4]]) -> Self {
        let corners = |cell: &[[usize; 3]; 4], k: usize| {
            let mut corners = [1, 2, 3].map(|step| cell[(k + step) % 4]);
            corners.sort_unstable();
            corners
        };
        let mut sides: HashMap<_, Vec<usize>> = HashMap::new();
        for (i, cell) in cells.iter().enumerate() {
            (0..4).for_each(|k| sides.entry(corners(cell, k)).or_default().push(i));
        }
        let n = cells.len();
        let mut area = vec![0.0; n];
        let mut faces = Vec::with_capacity(4 * n);
        for k in 0..4 {
            for (i, cell) in cells.iter().enumerate() {
                let corners = corners(cell, k);
                let other = sides[&corners].iter().find(|&&other| other != i);
                let [a, b, c] = corners.map(|corner| corner.map(|part| part as f32));
                let [nx, ny, nz] = inward(a, b, c, cell[k].map(|part| part as f32));
                area[i] += 0.25 * (nx * nx + ny * ny + nz * nz).sqrt();
                faces.push(Face {
                    neighbour: other.map_or(FAR, |&other| other as i32),
                    nx,
                    ny,
                    nz,
                });
            }
        }
        Self { area, faces }
    }
}

/// The normal of a triangle, on the side of a point, as long as the triangle is large.
fn inward(a: [f32; 3], b: [f32; 3], c: [f32; 3], point: [f32; 3]) -> [f32; 3] {
    let to = |end: [f32; 3]| [0, 1, 2].map(|k| end[k] - a[k]);
    let (u, v, inside) = (to(b), to(c), to(point));
    let cross = [0, 1, 2].map(|k| {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        0.5 * (u[l] * v[m] - u[m] * v[l])
    });
    let side: f32 = cross.iter().zip(inside).map(|(x, y)| x * y).sum();
    if side < 0.0 { cross.map(|part| -part) } else { cross }
}
