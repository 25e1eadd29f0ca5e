//! Modules, arrays and launches for the kernels.

use flash_test_ptx::{Arena, Fault, Launch, Module};

/// A file of `tests/kernels`.
pub(crate) fn read(name: &str) -> String {
    let path = format!("{}/tests/kernels/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The module of a file of `tests/kernels`.
fn module(name: &str) -> Module {
    Module::parse(&crate::text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A number of four or eight bytes, or fewer.
pub(crate) trait Bytes: Copy {
    const SIZE: usize;
    fn put(self, to: &mut Vec<u8>);
    fn get(from: &[u8]) -> Self;
}

macro_rules! bytes {
    ($($number:ty)*) => {$(
        impl Bytes for $number {
            const SIZE: usize = size_of::<$number>();
            fn put(self, to: &mut Vec<u8>) {
                to.extend(self.to_le_bytes());
            }
            fn get(from: &[u8]) -> Self {
                <$number>::from_le_bytes(from.try_into().expect("its bytes"))
            }
        }
    )*};
}
bytes!(u8 u16 u32 i32 u64 i64 f32 f64);

/// A module with memory for its kernels.
pub(crate) struct Device {
    pub(crate) module: Module,
    pub(crate) memory: Arena,
    pub(crate) globals: Vec<u64>,
}

impl Device {
    pub(crate) fn new(name: &str) -> Device {
        Device::of(module(name))
    }

    pub(crate) fn of(module: Module) -> Device {
        let memory = Arena::new();
        let globals: Vec<u64> =
            module.globals().iter().map(|global| memory.place(&vec![0; global.size])).collect();
        for (global, &at) in module.globals().iter().zip(&globals) {
            use flash_test_ptx::Memory;
            memory.store(at, &global.image(&globals)).expect("it was placed");
        }
        Device { module, memory, globals }
    }

    pub(crate) fn put<T: Bytes>(&self, values: &[T]) -> u64 {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| value.put(&mut bytes));
        self.memory.place(&bytes)
    }

    pub(crate) fn get<T: Bytes>(&self, at: u64, len: usize) -> Vec<T> {
        self.memory.read(at, len * T::SIZE).chunks(T::SIZE).map(T::get).collect()
    }

    pub(crate) fn global<T: Bytes>(&self, name: &str, len: usize) -> Vec<T> {
        let at = self.module.globals().iter().position(|global| global.name == name);
        self.get(self.globals[at.expect("it is there")], len)
    }

    pub(crate) fn try_run(&self, entry: &str, launch: &Launch<'_>) -> Result<(), Box<Fault>> {
        self.module.run(entry, launch, &self.globals, &self.memory)
    }

    #[track_caller]
    pub(crate) fn run(&self, entry: &str, launch: &Launch<'_>) {
        self.try_run(entry, launch).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

/// Parameters, each aligned to its size.
pub(crate) struct Params(pub(crate) Vec<u8>);

impl Params {
    pub(crate) fn new() -> Params {
        Params(Vec::new())
    }

    pub(crate) fn add<T: Bytes>(mut self, value: T) -> Params {
        self.0.resize(self.0.len().next_multiple_of(T::SIZE), 0);
        value.put(&mut self.0);
        self
    }
}

/// Numbers that look drawn and are the same each time.
pub(crate) fn drawn(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}
