//! The files that nonet works on: those of the machine, or files in memory where a program has
//! none, as in a browser. Both sides have the same functions.

#[cfg(not(target_family = "wasm"))]
mod disk;
#[cfg(any(target_family = "wasm", test))]
#[cfg_attr(
    not(target_family = "wasm"),
    allow(dead_code, unreachable_pub, reason = "tests of the disk's side need a part of it")
)]
mod memory;

#[cfg(not(target_family = "wasm"))]
pub use disk::*;
#[cfg(target_family = "wasm")]
pub use memory::*;

/// Files in memory, for tests on machines that have a disk.
#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::collections::BTreeSet;
    use std::io::ErrorKind;
    use std::path::Path;

    use super::{disk, memory};

    /// What both sides answer to the same questions, in words.
    macro_rules! answers {
        ($files:ident, $root:expr) => {{
            let root: &Path = $root;
            let at = |name: &str| root.join(name);
            let mut said: Vec<String> = Vec::new();
            let mut say = |what: &str, answer: String| said.push(format!("{what}: {answer}"));
            let kind = |result: std::io::Result<()>| match result {
                Ok(()) => "done".to_owned(),
                Err(error) => format!("{:?}", error.kind()),
            };
            say("make a/b", kind($files::make_folders(&at("a/b"))));
            say("make a/b again", kind($files::make_folder(&at("a/b"))));
            say("make without a parent", kind($files::make_folder(&at("x/y"))));
            say("write", kind($files::write_atomic_bytes(&at("a/b/one"), b"1")));
            say("write without a folder", kind($files::write_atomic_bytes(&at("x/one"), b"1")));
            say("write onto a folder", kind($files::write_atomic_bytes(&at("a/b"), b"1")));
            say("read", format!("{:?}", $files::read_to_string(&at("a/b/one")).ok()));
            say("read nothing", kind($files::read(&at("a/none")).map(drop)));
            let is = |name: &str| {
                let path = at(name);
                [$files::exists(&path), $files::is_file(&path), $files::is_dir(&path)]
            };
            say("is", format!("{:?} {:?} {:?}", is("a/b"), is("a/b/one"), is("a/c")));
            let names = |name: &str| {
                $files::entries(&at(name)).map(|paths| {
                    let names = paths.iter().filter_map(|path| path.file_name());
                    names.map(|name| name.to_string_lossy().into_owned()).collect::<BTreeSet<_>>()
                })
            };
            say("entries", format!("{:?} {:?}", names("a").ok(), names("a/b").ok()));
            say("entries of none", format!("{:?}", names("x").map_err(|e| e.kind())));
            say("rename", kind($files::rename(&at("a/b/one"), &at("a/two"))));
            say("after it", format!("{:?} {:?}", names("a").ok(), names("a/b").ok()));
            say("remove", kind($files::remove_file(&at("a/two"))));
            say("remove again", kind($files::remove_file(&at("a/two"))));
            say("remove the folder", kind($files::remove_folder(&at("a"))));
            say("nothing left", format!("{:?}", is("a")));
            said
        }};
    }

    #[test]
    fn files_in_memory_answer_as_those_of_the_machine() {
        let folder = tempfile::tempdir().expect("a folder");
        let on_disk = answers!(disk, folder.path());
        memory::make_folders(Path::new("/memory")).expect("made");
        assert_eq!(on_disk, answers!(memory, Path::new("/memory")));
        assert!(on_disk.iter().any(|line| line.contains(&format!("{:?}", ErrorKind::NotFound))));
    }

    #[test]
    fn changes_of_files_in_memory_are_told_once_and_make_the_same_files_elsewhere() {
        let path = Path::new("/told/here");
        memory::make_folders(Path::new("/told")).expect("made");
        memory::write_atomic_bytes(path, b"old").expect("written");
        memory::write_atomic_bytes(path, b"new").expect("written");
        let own = |change: &memory::Change| change.path.starts_with("/told");
        let told: Vec<_> = memory::take_changes().into_iter().filter(own).collect();
        let last = told.iter().find(|change| change.path == path).expect("told");
        assert_eq!(last.content, memory::Content::File(b"new".to_vec()));
        assert!(!memory::take_changes().iter().any(own), "only once");
        memory::remove_file(path).expect("removed");
        assert_eq!(memory::take_changes().iter().filter(|c| own(c)).count(), 1);
        for change in told {
            memory::apply(change);
        }
        assert_eq!(memory::read(path).expect("there again"), b"new");
        assert!(!memory::take_changes().iter().any(own), "what came from elsewhere is not told");
    }
}
