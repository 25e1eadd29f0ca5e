//! Whether a text of native code takes in other files when it is compiled, so that its own words do not tell
//! what comes out. It opens none of them, and does not look at which lines are in use.

/// Whether a text names other files in directives, in any of the ways in which C, C++ and OpenCL C write one,
/// or asks whether there is one.
pub fn has_includes(text: &str) -> bool {
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let takes_in = |rest: &str| {
        let rest = after_blanks(rest);
        ["include", "import", "embed"].iter().any(|word| rest.starts_with(word))
    };
    let mut begins = ["#", "%:", "??="]
        .iter()
        .flat_map(|begin| text.match_indices(begin).map(|(at, begin)| &text[at + begin.len()..]));
    begins.any(takes_in) || text.contains("__has_include") || text.contains("__has_embed")
}

/// Whether options of a compiler name files or folders that a text may take in.
pub fn have_includes<'o>(options: impl IntoIterator<Item = &'o str>) -> bool {
    let names_one = |word: &str| {
        ["-I", "@"].iter().any(|begin| word.starts_with(begin)) || word.contains("include")
    };
    options.into_iter().flat_map(str::split_whitespace).any(names_one)
}

/// A text behind blanks and comments of one line or part of one.
fn after_blanks(mut text: &str) -> &str {
    loop {
        text = text.trim_start_matches([' ', '\t', '\u{b}', '\u{c}', '\r']);
        match text.strip_prefix("/*").and_then(|comment| comment.split_once("*/")) {
            Some((_, rest)) => text = rest,
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_an_include_is_seen() {
        for text in [
            "#include \"a.h\"",
            "  # include <a.h>",
            "#\tinclude \"a.h\"",
            "# /* why */ include \"a.h\"",
            "/* why */ #include \"a.h\"",
            "%:include \"a.h\"",
            "??=include \"a.h\"",
            "#inc\\\nlude \"a.h\"",
            "#\\\r\ninclude \"a.h\"",
            "int x;\n#include_next <a.h>",
            "#import \"a.h\"",
            "#embed \"a.bin\"",
            "#if __has_include(\"a.h\")",
        ] {
            assert!(has_includes(text), "{text}");
        }
        for text in ["", "#define A 1", "// include it", "int include = 1;", "#pragma once\n#if 1"]
        {
            assert!(!has_includes(text), "{text}");
        }
    }

    #[test]
    fn options_that_name_files_are_seen() {
        for options in [
            "-I.",
            "-DN=1 -I kernels",
            "--include-path=a",
            "--pre-include=a.h",
            "-include=a.h",
            "@file",
        ] {
            assert!(have_includes([options]), "{options}");
        }
        assert!(!have_includes(["-DN=4 --use_fast_math", "-cl-std=CL3.0"]));
    }
}
