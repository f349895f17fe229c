//! The files that a command is asked to write.

use std::path::PathBuf;

use crate::cli::error::usage;

/// Refuses files in missing folders, and folders in place of files: known before the work, not after
/// it.
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

#[cfg(test)]
mod tests {
    use super::*;

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
