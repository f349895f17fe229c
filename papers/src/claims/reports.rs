//! The folders of finished experiments, each read once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::finished::FinishedExperiment;
use crate::spec::ExperimentError;

/// The experiments in a folder.
pub(super) struct Reports {
    folder: PathBuf,
    read: RefCell<BTreeMap<String, Rc<FinishedExperiment>>>,
}

impl Reports {
    pub(super) fn new(folder: &Path) -> Reports {
        Reports { folder: folder.to_owned(), read: RefCell::default() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn read(&self, name: &str) -> Result<Rc<FinishedExperiment>, ExperimentError> {
        if let Some(known) = self.read.borrow().get(name) {
            return Ok(Rc::clone(known));
        }
        let read = Rc::new(FinishedExperiment::read(&self.folder.join(name))?);
        self.read.borrow_mut().insert(name.to_owned(), Rc::clone(&read));
        Ok(read)
    }
}
