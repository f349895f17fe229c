//! The pages: the files of `assets/` with what they share, and the documentation.

mod asset_list;
mod assets;
mod book;

pub(crate) use assets::pages;
pub(crate) use book::book;
