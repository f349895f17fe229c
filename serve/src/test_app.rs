//! A server for tests: its folders are temporary, and whoever asks does its work.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use crate::{App, DirectRoutes, ServeConfig, ServeLimits, Workers};
use nonet_engine::engine::Engine;
use nonet_engine::search::Plies;
use nonet_engine::store::run_file;

/// A server without connections; its long work is errands that are not done.
pub(crate) struct TestApp {
    pub(crate) app: Arc<App>,
    routes: DirectRoutes,
    /// Removed at the end.
    _folder: TempDir,
}

impl TestApp {
    pub(crate) fn new(limits: ServeLimits) -> TestApp {
        TestApp::of(Workers::Caller, limits)
    }

    /// The same with other workers.
    pub(crate) fn of(workers: Workers, limits: ServeLimits) -> TestApp {
        let folder = tempfile::tempdir().expect("a folder");
        let config = ServeConfig::of_caller(folder.path(), workers, limits);
        let engine = Engine::builder().plies(Plies::ONE).build().expect("the built-in net");
        let app = App::new(&engine, &engine.on_the_callers_thread(), config).expect("a server");
        let routes = app.direct_routes();
        TestApp { app, routes, _folder: folder }
    }

    /// Adds a run of 100 games that another program has begun; its folder.
    pub(crate) fn add_run(&self, name: &str) -> PathBuf {
        let folder = self.app.config.runs.join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let config = "# nonet train\ngames = 100\n";
        std::fs::write(folder.join(run_file::CONFIG), config).expect("a file");
        folder
    }

    /// Asks; the status and the JSON of the answer, null if it has no body.
    pub(crate) fn ask(&self, method: &str, address: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string().into_bytes();
        let answer = self.routes.answer(method, address, "application/json", body);
        let mut answer = answer.expect("an answer");
        let whole = answer.whole();
        let json = if whole.is_empty() { &b"null"[..] } else { &whole };
        (answer.status, serde_json::from_slice(json).expect("JSON"))
    }
}
