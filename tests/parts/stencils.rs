//! Kernels whose items read their neighbours, of the same launch or of the phase before.

/// Each element with those beside it; the ends stay.
#[flash::kernel(part_by)]
pub(crate) fn smooth(x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    if i > 0 && i + 1 < x.len() {
        y[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) % 65521;
    } else {
        y[i] = x[i];
    }
}

/// Two arrays that take turns; each phase reads its neighbours.
#[flash::kernel(part_by, group_by(y), rank = 2)]
pub(crate) fn blur(a: &mut [u64], b: &mut [u64]) {
    let i = global_id(0);
    if i > 0 && i + 1 < a.len() {
        if phase() % 2 == 0 {
            // SAFETY: the items of this phase write `b` only, each its own element.
            unsafe { b[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) % 65521 };
        } else {
            // SAFETY: as above, the other way round.
            unsafe { a[i] = (b[i - 1] + 2 * b[i] + b[i + 1]) % 65521 };
        }
    }
}

/// The same, but for what comes from above: what is below waits for nobody.
#[flash::kernel(part_by, group_by(y), rank = 2)]
pub(crate) fn fall(a: &mut [u64], b: &mut [u64]) {
    let i = global_id(0);
    if i > 0 {
        if phase() % 2 == 0 {
            // SAFETY: the items of this phase write `b` only, each its own element.
            unsafe { b[i] = (3 * a[i - 1] + a[i]) % 65521 };
        } else {
            // SAFETY: as above, the other way round.
            unsafe { a[i] = (3 * b[i - 1] + b[i]) % 65521 };
        }
    }
}
