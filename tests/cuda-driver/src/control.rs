//! The functions by which tests steer the loaded driver: lines of text, answered by text. Programs
//! under test do not know them.
#![allow(unsafe_code, reason = "functions are exported by name")]

use crate::codes::Code;
use crate::driver::driver;
use crate::entry::{Out, Text};
use crate::faults::How;
use crate::memory::Memory;

/// Carries out a line, and gives the number of bytes of the answer, which stays until it is fetched
/// by [`flash_test_cuda_answer`]. An answer that begins with `error:` says what was wrong.
#[unsafe(no_mangle)]
extern "C" fn flash_test_cuda_command(line: Text) -> usize {
    let answer = match line.get() {
        Ok(line) => run(&line).unwrap_or_else(|error| format!("error:{error}")),
        Err(_) => "error:no command".to_owned(),
    };
    let len = answer.len();
    ANSWER.set(answer);
    len
}

/// Writes the answer to the command before, which this thread gave.
#[unsafe(no_mangle)]
extern "C" fn flash_test_cuda_answer(out: Out<u8>, room: usize) {
    // A test that has no room for the answer has asked for its length.
    let _ = out.put_all(ANSWER.take().as_bytes(), room);
}

thread_local! {
    static ANSWER: std::cell::Cell<String> = const { std::cell::Cell::new(String::new()) };
}

fn run(line: &str) -> Result<String, String> {
    let driver = driver();
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let fault = |how| {
        let rule = driver.faults.add(how, rest);
        rule.map(|()| String::new()).ok_or(format!("`{rest}` is no `call:count:code`"))
    };
    let device = |text: &str| {
        let device = text.parse::<usize>().ok().filter(|&device| device < crate::driver::DEVICES);
        device.ok_or(format!("`{text}` is no device"))
    };
    match word {
        "reset" => driver.reset(),
        "set" => driver.configure(rest)?,
        "fail" => return fault(How::Now),
        "later" => return fault(How::Later),
        "sticky" => return fault(How::Sticky),
        "forgive" => driver.faults.clear(),
        "faults" => return Ok(driver.faults.left().to_string()),
        "lose" => {
            let (which, code) = rest.split_once(':').ok_or("`device:code` is missing")?;
            let code = code.parse().map_err(|_| format!("`{code}` is no code"))?;
            driver.lose(device(which)?, Code(code));
        }
        "find" => driver.find(device(rest)?),
        "log" => driver.log.switch(rest == "on"),
        "drain" => return Ok(driver.log.drain()),
        "counts" => return Ok(driver.log.counts()),
        "clear" => driver.log.clear(),
        "hazards" => return Ok(crate::hazards::take().join("\n")),
        "alive" => return Ok(driver.alive()),
        "trouble" => return Ok(driver.last_trouble()),
        "why" => {
            let device = device(rest)?;
            let ill =
                driver.contexts.all().into_iter().find(|context| {
                    context.health.device == device && context.health.check().is_err()
                });
            return Ok(ill.map_or(String::new(), |context| context.health.why()));
        }
        "read" => return read(rest),
        _ => return Err(format!("`{word}` is no command of the test driver")),
    }
    Ok(String::new())
}

/// Bytes of a device as hexadecimal digits, without a call of the driver.
fn read(text: &str) -> Result<String, String> {
    let parse = || {
        let (address, len) = text.split_once(':')?;
        let (address, len) = (address.parse().ok()?, len.parse::<usize>().ok()?);
        let allocation = driver().memories[Memory::device_of(address)?].find(address)?;
        let place = allocation.place(address, len as u64)?;
        let bytes = crate::bytes::snapshot(place, len);
        Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    };
    parse().ok_or(format!("nothing is allocated at `{text}`"))
}
