//! Lines of a text while they are written: each with its depth and the line of the kernel that it
//! comes from. It knows no language; what is written twice or moved is up to who writes.

use std::fmt::Write as _;

/// A line.
#[derive(Clone, Debug)]
struct Line {
    depth: usize,
    text: String,
    /// Line of the kernel's file; 0 where there is none.
    from: u32,
}

/// Lines in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines(Vec<Line>);

/// Writes lines.
#[derive(Debug, Default)]
pub(super) struct Writer {
    lines: Vec<Line>,
    depth: usize,
    from: u32,
}

impl Writer {
    /// What follows comes from this line of the kernel's file.
    pub(super) fn from(&mut self, line: u32) {
        self.from = line;
    }

    /// A line.
    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(Line { depth: self.depth, text: text.into(), from: self.from });
    }

    /// A line that opens a block.
    pub(super) fn open(&mut self, text: impl Into<String>) {
        self.line(text);
        self.depth += 1;
    }

    /// A line that closes one block and opens another.
    pub(super) fn turn(&mut self, text: impl Into<String>) {
        self.depth = self.depth.saturating_sub(1);
        self.open(text);
    }

    /// Closes a block.
    pub(super) fn close(&mut self, text: impl Into<String>) {
        self.depth = self.depth.saturating_sub(1);
        self.line(text);
    }

    /// Deeper by so much.
    pub(super) fn indent(&mut self, by: usize) {
        self.depth += by;
    }

    /// Less deep by so much.
    pub(super) fn dedent(&mut self, by: usize) {
        self.depth = self.depth.saturating_sub(by);
    }

    /// Puts what is written aside, so that what follows can be [`Writer::taken`] alone.
    pub(super) fn aside(&mut self) -> Lines {
        Lines(std::mem::take(&mut self.lines))
    }

    /// What was written since `aside`, which is put back.
    pub(super) fn taken(&mut self, aside: Lines) -> Lines {
        Lines(std::mem::replace(&mut self.lines, aside.0))
    }

    /// Writes lines that were taken.
    pub(super) fn put(&mut self, lines: Lines) {
        self.lines.extend(lines.0);
    }

    /// All that was written.
    pub(super) fn done(self) -> Lines {
        Lines(self.lines)
    }
}

impl Lines {
    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text, with `#line` wherever a compiler, which counts lines, would take one for another of the
    /// file. What nothing can be said of, as it only closes a block, needs none.
    pub(super) fn text(&self, file: &str) -> String {
        let file = file.replace('\\', "\\\\").replace('"', "\\\"");
        let mut text = String::new();
        let mut counted = 0;
        for line in &self.0 {
            let is_silent = matches!(line.text.as_str(), "" | "}" | "} else {");
            if line.from != 0 && line.from != counted && !(is_silent && counted != 0) {
                counted = line.from;
                let _ = writeln!(text, "#line {counted} \"{file}\"");
            }
            if counted != 0 {
                counted += 1 + line.text.matches('\n').count() as u32;
            }
            if line.text.is_empty() {
                text.push('\n');
            } else {
                let _ = writeln!(text, "{:indent$}{}", "", line.text, indent = 4 * line.depth);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_where_they_come_from() {
        let mut writer = Writer::default();
        writer.open("{");
        writer.from(7);
        writer.line("a;");
        let aside = writer.aside();
        writer.from(8);
        writer.line("b;");
        let taken = writer.taken(aside);
        writer.line("c;");
        writer.put(taken);
        writer.close("}");
        let want = "{\n#line 7 \"a\\\\b\"\n    a;\n    c;\n#line 8 \"a\\\\b\"\n    b;\n}\n";
        assert_eq!(writer.done().text("a\\b"), want);
    }
}
