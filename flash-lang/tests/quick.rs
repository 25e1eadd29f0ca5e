//! temp
use std::path::Path;
#[test]
fn quick() {
    // print first messages for each fixture through the front end only
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests");
    for dir in std::fs::read_dir(root).unwrap() {
        let dir = dir.unwrap().path();
        if dir.ends_with("pipeline") || dir.ends_with("pass") { continue }
        for file in std::fs::read_dir(&dir).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_none_or(|e| e != "rs") { continue }
            let text = std::fs::read_to_string(&file).unwrap();
            let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let ts: proc_macro2::TokenStream = text.parse().unwrap();
            let tts: Vec<_> = ts.into_iter().collect();
            use proc_macro2::TokenTree as T;
            // find first attribute `#[flash::kernel...]`
            let mut found = vec![];
            fn scan(tts: &[T], found: &mut Vec<String>) {
            let mut i = 0;
            while i + 1 < tts.len() {
                if let (T::Punct(p), T::Group(g)) = (&tts[i], &tts[i+1]) { if p.as_char() == '#' {
                    let inner: Vec<T> = g.stream().into_iter().collect();
                    let s = g.stream().to_string().replace(' ', "");
                    let kind = if s.starts_with("flash::kernel") {1} else if s.starts_with("flash::device") {2} else {0};
                    if kind > 0 {
                        let args = match inner.get(4) { Some(T::Group(g)) => g.stream(), _ => Default::default() };
                        let mut item = vec![];
                        for t in &tts[i+2..] { item.push(t.clone()); match t { T::Group(g) if g.delimiter() == proc_macro2::Delimiter::Brace => break, T::Punct(p) if p.as_char() == ';' => break, _ => {} } }
                        let item: proc_macro2::TokenStream = item.into_iter().collect();
                        let errs = if kind == 1 { flash_lang::kernel::check(args, item).err() } else { flash_lang::device::check(args, item).err() };
                        for e in errs.iter().flat_map(|e| e.iter()) { found.push(format!("{}:{} [{}] {}", e.span.start().line, e.span.start().column, e.rule.name, e.message)); }
                    }
                } }
                if let T::Group(g) = &tts[i] { let inner: Vec<T> = g.stream().into_iter().collect(); scan(&inner, found); }
                i += 1;
            }
            if let Some(T::Group(g)) = tts.last() { let inner: Vec<T> = g.stream().into_iter().collect(); scan(&inner, found); }
            }
            scan(&tts, &mut found);
            let ok = found.len() == 1 && found[0].contains(&format!("[{stem}]"));
            println!("{} {stem}: {}", if ok {"ok "} else {"BAD"}, found.join(" || "));
        }
    }
}
