//! The variables that FLASH reads, and those that are probably meant to be.

use flash_rt::Error;
use flash_rt::env_options::Variable;
use serde_json::{Value, json};

use super::{Section, State};
use crate::text;

pub(super) fn section(variables: &[Variable]) -> Section {
    let json = |variable: &Variable| -> Value {
        json!({
            "name": variable.name,
            "value": variable.value,
            "meant": variable.meant,
            "error": variable.error.as_ref().map(ToString::to_string),
        })
    };
    let mut section = Section::new(
        "environment",
        "environment",
        json!({ "variables": variables.iter().map(json).collect::<Vec<_>>() }),
    );
    let mut fixes = Vec::new();
    for variable in variables {
        let Variable { name, value, meant, error, .. } = variable;
        match (meant, error) {
            (Some(meant), _) => {
                section.row(name, format!("has no effect; is it {meant}?"));
                fixes.push(format!("export {meant}=\"${name}\"; unset {name}"));
            }
            (None, Some(error)) => {
                let why = match error {
                    Error::Option { value, why, .. } => format!("`{value}`: {why}"),
                    error => error.to_string(),
                };
                section.row(name, why);
                fixes.push(format!("unset {name}"));
            }
            (None, None) => section.row(name, value),
        }
    }
    section.summary = match (variables.len(), fixes.len()) {
        (0, _) => "no variable of FLASH is set, so all is as by default".to_owned(),
        (n, 0) => format!("{} set", text::count(n, "variable")),
        (n, wrong) => format!("{} set, {wrong} of them wrong", text::count(n, "variable")),
    };
    if !fixes.is_empty() {
        (section.state, section.fix) = (State::Wrong, Some(fixes.join("; ")));
    }
    section
}
