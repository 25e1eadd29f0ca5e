//! An explanation as a graph for Graphviz.

use super::{Explanation, Order, PlannedCopy};
use crate::report::bytes;

impl Explanation {
    /// The stages, their order and the copies between them, by the names that traces have for them,
    /// as a graph for Graphviz: `dot -Tsvg`. What is dashed is of later trips.
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph pipeline {\n    node [shape=box];\n");
        for (k, stage) in self.stages.iter().enumerate() {
            let shape = match &stage.device {
                Some(device) => format!("\\n{}\" color=blue", label(device)),
                None => "\"".to_owned(),
            };
            let (name, over) = (label(&stage.name), label(&stage.over));
            text.push_str(&format!("    n{k} [label=\"{k}: {name} {over}{shape}];\n"));
        }
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (k, stage) in self.stages.iter().enumerate() {
            while open.last().is_some_and(|&(_, depth)| depth >= stage.depth) {
                open.pop();
            }
            if let Some((around, _)) = open.last() {
                text.push_str(&format!("    n{around} -> n{k} [style=dotted arrowhead=none];\n"));
            }
            open.push((k, stage.depth));
        }
        for Order { first, then, trips } in &self.order {
            let style = if *trips > 0 { " [style=dashed constraint=false]" } else { "" };
            text.push_str(&format!("    n{first} -> n{then}{style};\n"));
        }
        for (k, copy) in self.copies.iter().enumerate() {
            let PlannedCopy { stage, name, way, bytes: size, .. } = copy;
            let (style, size) = (if copy.later_trips { " style=dashed" } else { "" }, bytes(*size));
            let (name, way) = (label(name), label(way));
            text.push_str(&format!(
                "    c{k} [label=\"{name}\\n{size} {way}\" shape=ellipse{style}];\n    c{k} -> n{stage};\n"
            ));
            // One that comes later in the program wrote it in the trip before.
            if let Some(writer) = copy.writer {
                let style = if writer < *stage { "" } else { " [style=dashed constraint=false]" };
                text.push_str(&format!("    n{writer} -> c{k}{style};\n"));
            }
        }
        text.push_str("}\n");
        text
    }
}

/// A text as part of a quoted label.
fn label(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            _ => out.push(c),
        }
    }
    out
}
