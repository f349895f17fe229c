//! Nets by name, by file, and by the folder of their run.

use crate::store::run_file;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::OpenError;
use crate::store::{NetFile, StoreError, files};

/// The name of the net that is built in.
pub const CHAMPION: &str = "champion";

/// Its name in commands, runs and matches of version 0.1.
const OLD_NAME: &str = "built-in";

/// Whether a name is that of the net that is built in, or its old one.
#[must_use]
pub fn is_built_in(name: &str) -> bool {
    name == CHAMPION || name == OLD_NAME
}

/// The names of nets, the champion first.
pub fn net_names() -> impl Iterator<Item = &'static str> {
    nonet_nets::NAMED.into_iter().map(|(name, _)| name)
}

/// Opens a net: a name, a net file, or the folder of a run, which means its best net. A file in the
/// current folder that is called like a net is opened as `./small`.
///
/// ```
/// let swift = nonet_engine::open::net("swift")?;
/// assert!(swift.team.weights() > 0);
/// assert!(nonet_engine::open::net("no such net").is_err());
/// # Ok::<(), nonet_engine::open::OpenError>(())
/// ```
///
/// # Errors
/// [`OpenError`] if there is no such net, or if its file cannot be read.
pub fn net(name: &str) -> Result<NetFile, OpenError> {
    Ok(NetFile::from_bytes(&net_bytes(name)?, Path::new(name))?)
}

/// The bytes of the file of a net, as [`net`] opens it.
///
/// # Errors
/// [`OpenError`] if there is no such net, or if its file cannot be read.
pub fn net_bytes(name: &str) -> Result<Cow<'static, [u8]>, OpenError> {
    if let Some(bytes) = bytes_of(name) {
        return Ok(Cow::Borrowed(bytes));
    }
    let path = net_path(Path::new(name));
    let path = path.ok_or_else(|| missing(name))?;
    Ok(Cow::Owned(files::read(&path).map_err(StoreError::io("read", &path))?))
}

/// Why there is no net of this name: a path is told from a name by its separators or its ending.
fn missing(name: &str) -> OpenError {
    let (path, owned) = (Path::new(name), name.to_owned());
    if files::is_dir(path) {
        OpenError::NoNetIn { folder: owned }
    } else if path.components().count() > 1 || path.extension().is_some() {
        OpenError::NoFile { name: owned }
    } else {
        OpenError::UnknownNet { name: owned }
    }
}

/// The file of the net that the folder of a run stands for.
///
/// It is the best net of the run's tests, or the last one before the first test.
#[must_use]
pub fn net_of_run(folder: &Path) -> Option<PathBuf> {
    [run_file::BEST, run_file::LAST]
        .map(|name| folder.join(name))
        .into_iter()
        .find(|path| files::is_file(path))
}

/// Whether [`net`] finds a net of this name.
pub(super) fn is_net(name: &str) -> bool {
    bytes_of(name).is_some() || net_path(Path::new(name)).is_some()
}

fn bytes_of(name: &str) -> Option<&'static [u8]> {
    let name = if name == OLD_NAME { CHAMPION } else { name };
    nonet_nets::NAMED.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

fn net_path(path: &Path) -> Option<PathBuf> {
    if files::is_file(path) { Some(path.to_owned()) } else { net_of_run(path) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::write_net;

    #[test]
    fn every_net_of_a_name_opens_and_built_in_is_the_champion() {
        for name in net_names() {
            assert!(net(name).expect(name).team.weights() > 0);
        }
        assert_eq!(net_bytes(OLD_NAME).expect("built in"), net_bytes(CHAMPION).expect("built in"));
    }

    #[test]
    fn the_folder_of_a_run_is_its_best_net_and_before_the_first_test_its_last_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = folder.path().to_string_lossy().into_owned();
        assert!(matches!(net(&name), Err(OpenError::NoNetIn { .. })));
        for (file, named) in [("last.nonet", "swift"), ("best.nonet", "small")] {
            let found = net(named).expect(named);
            write_net(&folder.path().join(file), &found).expect("written");
            assert_eq!(net(&name).expect(file), found);
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let error = net("nosuch").expect_err("unknown").to_string();
        assert_eq!(
            error,
            "no net called 'nosuch': known are champion, expert, small, swift, or a net file, or the folder of a run"
        );
        for path in ["runs/nosuch", "nosuch.nonet"] {
            let error = net(path).expect_err("no file").to_string();
            assert_eq!(error, format!("no such file, and no folder of a run: {path}"));
        }
    }
}
