//! What a kernel left in its arrays and how long it took, for a person.

use std::time::Duration;

use super::Args;
use super::array::Array;
use super::element::{Element, Number};
use super::launch::{Launch, Times};
use crate::{Failure, text};

/// So many elements of an array are shown.
const SHOWN: usize = 8;

/// The results, after written arrays have gone to their files.
pub(super) fn text(
    args: &Args,
    launch: &Launch<'_>,
    times: &Times,
    outs: &[(&str, String)],
) -> Result<String, Failure> {
    let (key, number) = launch.device;
    let mut page = format!(
        "`{}` of {} on {key}:{number}, {}\n",
        args.kernel,
        args.file.display(),
        times.device
    );
    let extents: Vec<String> = launch.space.iter().map(ToString::to_string).collect();
    let block = launch.block.as_ref().map_or(String::new(), |block| {
        let extents: Vec<String> = block.iter().map(ToString::to_string).collect();
        format!(" in work-groups of {}", extents.join(" x "))
    });
    text::row(&mut page, "", "items", &format!("{}{block}", extents.join(" x ")));
    for array in launch.arrays().filter(|array| array.is_written()) {
        let bytes = array.bytes()?;
        text::row(&mut page, "", &array.name, &shown(array, &bytes));
        for (file, _) in outs.iter().filter(|(_, name)| *name == array.name) {
            std::fs::write(file, &bytes).map_err(|error| {
                Failure::Failed(format!("{file}: it cannot be written: {error}"))
            })?;
            text::row(&mut page, "", "", &format!("{} in {file}", text::bytes(bytes.len() as u64)));
        }
    }
    if !launch.arrays().any(Array::is_written) {
        text::row(
            &mut page,
            "",
            "results",
            "none, as no array has `io:` or `out:` before its name",
        );
    }
    let moved = launch.arrays().map(Array::moved).sum();
    time(&mut page, &times.launches, moved);
    Ok(page)
}

/// How long launches took, which are in order.
fn time(page: &mut String, launches: &[Duration], moved: u64) {
    let Some(best) = launches.first() else { return };
    let median = launches[launches.len() / 2];
    let of = text::count(launches.len(), "launch").replace("launchs", "launches");
    let both = format!("best {}, median {}, of {of}", text::time(*best), text::time(median));
    text::row(page, "", "time", &both);
    if moved > 0 && !best.is_zero() {
        let rate = moved as f64 / best.as_secs_f64() / 1e9;
        let arrays = format!("{rate:.3} GB/s: {} of arrays in the best launch", text::bytes(moved));
        text::row(page, "", "throughput", &arrays);
    }
}

/// The first elements, and the sum of all.
fn shown(array: &Array, bytes: &[u8]) -> String {
    let Element { scalar, lanes } = array.element;
    let numbers = || bytes.chunks_exact(scalar.size()).map(|bytes| Number::read(bytes, scalar));
    let all: Vec<String> = numbers().take(SHOWN * lanes).map(|number| number.to_string()).collect();
    let grouped = |lanes: &[String]| match lanes {
        [one] => one.clone(),
        several => format!("({})", several.join(" ")),
    };
    let first: Vec<String> = all.chunks(lanes).map(grouped).collect();
    let n = bytes.len() / array.element.size();
    let rest = if n > SHOWN { " .." } else { "" };
    let extents: Vec<String> = array.shape.iter().map(ToString::to_string).collect();
    let sum = numbers().fold(Number::Int(0), |sum, number| match (sum, number) {
        (Number::Int(a), Number::Int(b)) => Number::Int(a + b),
        (Number::Float(a), Number::Float(b)) => Number::Float(a + b),
        (Number::Int(_), first) => first,
        (sum, _) => sum,
    });
    let shape = extents.join(",");
    format!("{}[{shape}]: {}{rest}\nsum {sum}", array.element, first.join(" "))
}
