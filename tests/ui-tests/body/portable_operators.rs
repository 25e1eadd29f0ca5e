// A body that is declared `portable` computes with what every kind of device has.
use std::ops::{Add, AddAssign, Mul, Neg};

#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Vec2 {
    x: f32,
    y: f32,
}

impl Add for Vec2 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl AddAssign for Vec2 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<Vec2> for f32 {
    type Output = Vec2;
    fn mul(self, other: Vec2) -> Vec2 {
        Vec2 { x: self * other.x, y: self * other.y }
    }
}

impl Neg for Vec2 {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

#[flash::device]
fn twice(v: Vec2) -> Vec2 {
    v + v
}

#[flash::device(portable)]
fn longest(v: Vec2) -> f32 {
    let double = v + v;
    double.x.max(v.y)
}

#[flash::kernel]
fn on_the_cpu(x: &[Vec2], #[out] y: &mut [Vec2]) {
    let i = global_id(0);
    y[i] = -(2.0 * x[i] + twice(x[i]));
}

#[flash::kernel(portable)]
fn everywhere(x: &[Vec2], y: &mut [Vec2]) {
    let i = global_id(0);
    let a = x[i];
    let sum = 2.0 * a;
    y[i] += sum;
    let back = -y[i];
    y[i] = twice(back);
}

#[flash::kernel(portable)]
fn fine(n: u32, x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    let mut s = -x[i] * 2.0 + 1.0 / 3.0;
    for k in 0..n {
        s += x[i].sqrt() * k as f32 - ((k << 2) & !1) as f32;
    }
    let far = i > 3 && !(s < 0.0);
    y[i] = if far { s.max(0.5) } else { flash::math::exp(s) };
}

fn main() {}
