//! What each example shows, from the head of its own file, for `--help`. It knows the files and
//! nothing of what is in them.

/// The files with their text.
macro_rules! files {
    ($($file:literal)*) => {
        [$(($file, include_str!(concat!("../../", $file)))),*]
    };
}

/// Files as they are in the folder of the examples.
static FILES: [(&str, &str); 23] = files!(
    "01_saxpy.rs"
    "02_sobel_video.rs"
    "03_mandelbrot.rs"
    "04_nbody.rs"
    "05_black_scholes.rs"
    "06_histogram.rs"
    "07_library_kernel/main.rs"
    "08_matrix_product.rs"
    "09_relaxation.rs"
    "10_own_kernel.rs"
    "11_heat.rs"
    "12_hotspot.rs"
    "13_wave.rs"
    "14_convolution.rs"
    "15_dct.rs"
    "16_attention.rs"
    "17_matrix_power.rs"
    "18_diffusion.rs"
    "19_euler/main.rs"
    "20_alignment.rs"
    "21_split/main.rs"
    "22_cublas/main.rs"
    "23_tree_sum.rs"
);

/// What the example in a file shows and prints.
pub(crate) fn of(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let (_, text) = FILES.iter().find(|(file, _)| path.ends_with(file))?;
    let head = text.lines().map_while(|line| line.strip_prefix("//!"));
    let mut about = String::new();
    let mut is_told = false;
    for line in head.map(str::trim) {
        let (key, rest) = line.split_once(':').unwrap_or(("", ""));
        let rest = match key {
            "Shows" | "Prints" => {
                is_told = true;
                if !about.is_empty() {
                    about.push('\n');
                }
                about.push_str(key);
                about.push(':');
                rest.trim()
            }
            "Run" => {
                is_told = false;
                continue;
            }
            _ => line,
        };
        if is_told {
            about.push(' ');
            about.push_str(rest);
        }
    }
    Some(about)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_example_says_what_it_shows() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut found = BTreeSet::new();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let is_example = name.starts_with(|c: char| c.is_ascii_digit());
            let main = folder.join(&name).join("main.rs").exists();
            if is_example && (main || name.ends_with(".rs")) {
                found.insert(if main { format!("{name}/main.rs") } else { name });
            }
        }
        let known: BTreeSet<String> = FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
        assert_eq!(known, found);
        let all: BTreeSet<String> = FILES.iter().filter_map(|(file, _)| of(file)).collect();
        assert_eq!(all.len(), FILES.len(), "two say the same");
        for about in all {
            assert!(about.starts_with("Shows: ") && about.contains("\nPrints: "), "{about}");
            assert!(!about.contains("cargo run"), "{about}");
        }
        let lines = of("examples/03_mandelbrot.rs").unwrap();
        assert!(lines.contains("a kernel draws the next one while a host task"), "{lines}");
        assert_eq!(of("src/lib.rs"), None);
    }
}
