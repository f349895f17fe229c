//! The files that a command is asked to write.

use std::path::{Path, PathBuf};

use nonet::store::record_files;

use crate::cli::error::usage;

/// Refuses files in missing folders, and folders in place of files: known before the work, not
/// after it.
pub(crate) fn check_outputs<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
) -> anyhow::Result<()> {
    for file in files {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) || file.is_dir() {
            let file = file.display();
            return Err(usage(format!(
                "cannot write {file}: expected a file in an existing folder"
            )));
        }
    }
    Ok(())
}

/// Refuses files that would replace a record which is read: `inputs` are files and folders of
/// records, or `-`.
pub(crate) fn check_not_read<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
    inputs: impl IntoIterator<Item = &'a Path> + Clone,
) -> anyhow::Result<()> {
    for file in files {
        let Ok(replaced) = file.canonicalize() else { continue };
        // What cannot be read is named where it is read.
        let read = inputs.clone().into_iter().filter_map(|input| record_files(input).ok());
        if read.flatten().any(|read| read.canonicalize().is_ok_and(|read| read == replaced)) {
            let file = file.display();
            return Err(usage(format!(
                "{file} is one of the records that are read: choose another name for the output"
            )));
        }
    }
    Ok(())
}

/// Refuses pictures with another ending than `.svg`, as well as what [`check_outputs`] refuses.
pub(crate) fn check_pictures<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
) -> anyhow::Result<()> {
    for file in files {
        if file.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("svg")) {
            let file = file.display();
            return Err(usage(format!(
                "cannot draw {file}: pictures are SVG, so expected a name that ends in .svg"
            )));
        }
        check_outputs([file])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_svg_by_its_name() {
        for (name, fits) in [
            ("curves.svg", true),
            ("CURVES.SVG", true),
            ("curves.png", false),
            ("curves", false),
            ("none/curves.svg", false),
        ] {
            assert_eq!(check_pictures([&PathBuf::from(name)]).is_ok(), fits, "{name}");
        }
    }

    #[test]
    fn a_record_that_is_read_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |name: &str| folder.path().join(name);
        std::fs::write(of("a.mat"), "").expect("written");
        std::fs::write(of("b.mat"), "").expect("written");
        let may = |file: &str, input: &Path| check_not_read([&of(file)], [input]).is_ok();
        assert!(!may("a.mat", &of("a.mat")) && !may("a.mat", folder.path()));
        assert!(!may("./a.mat", &of("a.mat")), "another spelling of the same file");
        assert!(may("b.mat", &of("a.mat")) && may("new.mat", folder.path()));
        assert!(may("a.mat", Path::new("-")) && may("a.mat", &of("none.mat")));
    }

    #[test]
    fn a_file_needs_an_existing_folder_and_is_none_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |name: &str| folder.path().join(name);
        for (file, fits) in [
            (of("new.json"), true),
            (PathBuf::from("in-this-folder.json"), true),
            (of("none/new.json"), false),
            (folder.path().to_owned(), false),
        ] {
            assert_eq!(check_outputs([&file]).is_ok(), fits, "{}", file.display());
        }
    }
}
