//! What a kernel requires of a device: what `requires(..)` says, and what its types tell. It does not
//! know which devices have that.

use flash_ir::{ScalarTy, Ty, resolve};

use crate::capabilities::Capabilities;
use crate::descriptor::{KernelDescriptor, Need, ParamDescriptor, Role};

impl KernelDescriptor {
    /// What a device has to have to run it: what `requires(..)` names, 64-bit floats if its arguments
    /// or anything in its body are such, atomics of the widths that it uses, and stores of less than 32
    /// bits if it writes such elements.
    ///
    /// ```
    /// # use flash_rt::descriptor::{KernelDescriptor, Need};
    /// # fn look(kernel: &'static KernelDescriptor) {
    /// if kernel.required().has(Need::F64) {
    ///     println!("`{}` computes with f64", kernel.name);
    /// }
    /// # }
    /// ```
    pub fn required(&'static self) -> Capabilities {
        let said = Capabilities::of(self.needs);
        let of_params = self.params.iter().fold(said, of_param);
        // What cannot be typed says so where it is translated.
        match self.ir.map(resolve::kernel) {
            Some(Ok(typed)) if typed.has_f64 => of_params.with(Need::F64),
            _ => of_params,
        }
    }
}

fn of_param(mut all: Capabilities, param: &ParamDescriptor) -> Capabilities {
    if param.ty.any(&|scalar| scalar == ScalarTy::F64) {
        all = all.with(Need::F64);
    }
    match param.role {
        Role::Atomic if param.ty.size() > 4 => all.with(Need::Atomics64),
        Role::Atomic => all.with(Need::Atomics),
        Role::InOut | Role::Out | Role::OutPartial | Role::Scratch(_) if is_narrow(param.ty) => {
            all.with(Need::ByteStores)
        }
        _ => all,
    }
}

/// Whether a part of it is stored alone that has less than 32 bits.
fn is_narrow(ty: Ty) -> bool {
    ty.any(&|scalar| scalar.size() < 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::conformance::kernels;

    #[test]
    fn types_tell_what_is_required() {
        let said = KernelDescriptor { needs: &[Need::Barrier], ..kernels::AFFINE };
        let said: &'static KernelDescriptor = Box::leak(Box::new(said));
        assert_eq!(said.required(), Capabilities::of(&[Need::Barrier]));
        assert!(kernels::AFFINE.required().is_empty());
    }
}
