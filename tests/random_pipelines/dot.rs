//! Reads a graph in the language of Graphviz, as far as `dot()` writes it: statements on lines of their
//! own, of nodes with attributes and of edges between nodes that are declared.

use std::collections::BTreeSet;

/// A name, or a text in quotes; what is left behind it.
fn word(text: &str) -> Result<(String, &str), String> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        return if word.is_empty() {
            Err(format!("no word at {text:?}"))
        } else {
            Ok((word.to_owned(), rest))
        };
    };
    let mut escaped = false;
    for (at, c) in quoted.char_indices() {
        match c {
            '"' if !escaped => return Ok((quoted[..at].to_owned(), &quoted[at + 1..])),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    Err(format!("the quotes at {text:?} are never closed"))
}

/// `[key=value key=value]`, or nothing; then the end of a statement.
fn attributes(text: &str) -> Result<(), String> {
    let Some(list) = text.strip_prefix(" [") else {
        return if text == ";" { Ok(()) } else { Err(format!("{text:?} ends no statement")) };
    };
    let mut rest = list;
    loop {
        let (_, after) = word(rest)?;
        let value = after.strip_prefix('=').ok_or_else(|| format!("no value at {after:?}"))?;
        rest = word(value)?.1;
        if rest == "];" {
            return Ok(());
        }
        rest = rest.strip_prefix(' ').ok_or_else(|| format!("{rest:?} ends no attribute"))?;
    }
}

/// The numbers of nodes and edges, or what is wrong.
pub(crate) fn read(dot: &str) -> Result<[usize; 2], String> {
    let body = dot.strip_prefix("digraph pipeline {\n").and_then(|dot| dot.strip_suffix("}\n"));
    let body = body.ok_or_else(|| format!("no graph: {dot:?}"))?;
    let (mut nodes, mut edges) = (BTreeSet::new(), Vec::new());
    for line in body.lines() {
        let line = line.strip_prefix("    ").ok_or_else(|| format!("no margin: {line:?}"))?;
        let (name, rest) = word(line)?;
        match rest.strip_prefix(" -> ") {
            Some(to) => {
                let (to, rest) = word(to)?;
                attributes(rest)?;
                edges.push((name, to));
            }
            None => {
                attributes(rest)?;
                if name != "node" && !nodes.insert(name) {
                    return Err(format!("declared twice: {line}"));
                }
            }
        }
    }
    let is_there = |(from, to): &(String, String)| nodes.contains(from) && nodes.contains(to);
    match edges.iter().find(|edge| !is_there(edge)) {
        Some(edge) => Err(format!("{edge:?} joins what is not declared")),
        None => Ok([nodes.len(), edges.len()]),
    }
}

#[test]
fn what_is_no_graph_is_noticed() {
    let nodes = r#"    node [shape=box];
    n0 [label="a \"b\" in c:\\"];
    n1 [label="d" shape=box];
"#;
    let graph = |more: &str| read(&format!("digraph pipeline {{\n{nodes}{more}}}\n"));
    assert_eq!(graph("    n0 -> n1 [style=dashed weight=2];\n    n1 -> n1;\n"), Ok([2, 2]));
    for bad in [
        "    n0 -> n2;\n",
        "    n0 -> n1\n",
        "    n1 [label=\"d\"];\n",
        "    n2 [label=\"say \"it\"\"];\n",
        "    n2 [label=\"c:\\\"];\n",
        "    n2 [label];\n",
        "    n2 [label=\"two\nlines\"];\n",
        "n2 [label=\"e\"];\n",
    ] {
        assert!(graph(bad).is_err(), "{bad}");
    }
    assert!(read(nodes).is_err());
}
