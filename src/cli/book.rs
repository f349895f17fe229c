//! The documentation, compiled in for `nonet serve`.

use nonet::serve::BookFile;

macro_rules! book {
    ($($name:literal)*) => {
        &[$(BookFile { name: $name, bytes: include_bytes!(concat!("../../docs/src/", $name)) }),*]
    };
}

/// All files of the book.
pub(crate) const BOOK: &[BookFile] = book! {
    "SUMMARY.md"
    "analyse.md"
    "bgammon.md"
    "browser.md"
    "engines.md"
    "erstes-match.md"
    "experiments.md"
    "fibs-service.md"
    "fibs.md"
    "files.md"
    "first-match.md"
    "how-it-learns.md"
    "how-it-learns/prime.svg"
    "how-it-learns/rules.svg"
    "how-it-learns/sources.svg"
    "how-it-learns/td.svg"
    "how-it-learns/values.svg"
    "http-api.md"
    "inside.md"
    "introduction.md"
    "library.md"
    "machines.md"
    "measuring.md"
    "offline.md"
    "papers-in-the-code.md"
    "play.md"
    "practise.md"
    "python.md"
    "training.md"
    "ueben.md"
};

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeSet;
    use std::path::Path;

    fn files(folder: &Path, root: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files(&path, root, found);
                continue;
            }
            let name = path.strip_prefix(root).expect("inside").to_string_lossy();
            found.insert(name.replace('\\', "/"));
        }
    }

    #[test]
    fn every_file_of_the_book_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
        let mut found = BTreeSet::new();
        files(&root, &root, &mut found);
        assert_eq!(BOOK.iter().map(|file| file.name.to_owned()).collect::<BTreeSet<_>>(), found);
    }
    #[test]
    fn no_chapter_is_called_nonet() {
        // The title of a page has the name of the book next to that of the chapter.
        for file in BOOK.iter().filter(|file| file.name.ends_with(".md")) {
            let text = std::str::from_utf8(file.bytes).expect("UTF-8");
            let named = |line: &str| line == "# nonet" || line.contains("[nonet](");
            assert!(!text.lines().any(named), "{}", file.name);
        }
    }
}
