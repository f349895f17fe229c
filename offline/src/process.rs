//! A process without sockets and threads: it answers requests, and does errands.

use std::path::Path;
use std::sync::Arc;

use nonet_engine::engine::Engine;
use nonet_engine::search::SearchSettings;
use nonet_serve::{
    App, DirectAnswer, DirectRoutes, Errand, ServeConfig, ServeError, ServeLimits, Tell, Workers,
};

/// What a process is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It answers at once, and refuses slow work.
    Quick,
    /// It does slow work, too.
    Slow,
}

/// A process.
pub struct Process {
    app: Arc<App>,
    routes: DirectRoutes,
}

impl Process {
    /// A process with its files below this folder.
    ///
    /// # Errors
    /// [`ServeError`] if the folders cannot be made.
    pub fn new(role: Role, folder: &str) -> Result<Process, ServeError> {
        let workers = match role {
            Role::Quick => Workers::Caller,
            Role::Slow => Workers::CallerAndSlow,
        };
        // Slow answers go on side by side, a part each: none waits for a place.
        let limits = ServeLimits { slow: 64, ..ServeLimits::default() };
        let config = ServeConfig::of_caller(Path::new(folder), workers, limits);
        // As `nonet serve` opens it.
        let engine = Engine::builder()
            .plies(Engine::PLAY_PLIES)
            .search_settings(SearchSettings::WIDE)
            .build()?;
        let app = App::new(&engine, &engine.on_the_callers_thread(), config)?;
        let routes = app.direct_routes();
        Ok(Process { app, routes })
    }

    /// Answers a request; `kind` is the type of its body.
    ///
    /// # Errors
    /// What is wrong with the method or the address.
    pub fn answer(
        &self,
        method: &str,
        address: &str,
        kind: &str,
        body: Vec<u8>,
    ) -> Result<DirectAnswer, String> {
        self.routes.answer(method, address, kind, body)
    }

    /// The errands since the last call, as JSON.
    #[must_use]
    pub fn take_errands(&self) -> Vec<String> {
        let errands = self.app.take_errands();
        errands.iter().filter_map(|errand| serde_json::to_string(errand).ok()).collect()
    }

    /// Does the analysis of an upload; `tell` hears how far it is.
    ///
    /// # Errors
    /// Why it has failed.
    pub fn analyse(&self, id: &str, plies: [u8; 2], tell: Tell) -> Result<(), String> {
        self.app.analyse(id, plies, tell)
    }

    /// Another process says how far an analysis is.
    pub fn analysis_at(&self, id: &str, done: u64) {
        self.app.analysis_at(id, done);
    }

    /// Another process has ended an errand.
    ///
    /// # Errors
    /// It is no errand.
    pub fn ended(&self, errand: &str, error: Option<String>) -> Result<(), String> {
        let errand: Errand = serde_json::from_str(errand).map_err(|error| error.to_string())?;
        self.app.ended(&errand, error);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(role: Role, folder: &tempfile::TempDir) -> Process {
        Process::new(role, &folder.path().to_string_lossy()).expect("a process")
    }

    fn ask(process: &Process, method: &str, address: &str, body: &str) -> (u16, serde_json::Value) {
        let answer = process.answer(method, address, "application/json", body.into());
        let mut answer = answer.expect("answered");
        let body = answer.whole();
        (answer.status, serde_json::from_slice(&body).unwrap_or_default())
    }

    #[test]
    fn a_match_is_played_and_kept_without_a_thread() {
        let folder = tempfile::tempdir().expect("a folder");
        let quick = process(Role::Quick, &folder);
        let (status, begun) =
            ask(&quick, "POST", "/api/v1/matches", r#"{"length":1,"seed":1,"ply":1,"cube_ply":1}"#);
        assert_eq!(status, 201, "{begun}");
        let id = begun["id"].as_str().expect("an id").to_owned();
        let (status, hint) = ask(&quick, "GET", &format!("/api/v1/matches/{id}/hint"), "");
        assert_eq!(status, 200, "{hint}");
        let best = hint["plays"]["plays"][0]["play"].as_str();
        assert!(best.is_some() || hint["cube"].is_object(), "{hint}");
    }

    #[test]
    fn slow_work_is_refused_by_the_quick_process_and_done_by_the_slow_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let body = r#"{"id":"4HPwATDgc/ABMA","dice":"31","plays":1,"games":36,"ply":1}"#;
        let quick = process(Role::Quick, &folder);
        let answer = quick.answer("POST", "/api/v1/rollout", "application/json", body.into());
        assert!(answer.expect("answered").is_for_slow());
        let slow = process(Role::Slow, &folder);
        let answer = slow.answer("POST", "/api/v1/rollout", "application/json", body.into());
        let mut answer = answer.expect("answered");
        let events = String::from_utf8(answer.whole()).expect("text");
        assert!(events.contains("event: done"), "{events}");
    }

    #[test]
    fn an_analysis_is_an_errand_whose_files_both_processes_see() {
        let folder = tempfile::tempdir().expect("a folder");
        let (quick, slow) = (process(Role::Quick, &folder), process(Role::Slow, &folder));
        let record = include_bytes!("../../tests/records/crawford.mat");
        let address = "/api/v1/analyses?name=a.mat&ply=1";
        let mut begun = quick
            .answer("POST", address, "application/octet-stream", record.to_vec())
            .expect("answered");
        let row: serde_json::Value = serde_json::from_slice(&begun.whole()).expect("a row");
        assert_eq!((begun.status, row["state"].as_str()), (202, Some("working")), "{row}");
        let errands = quick.take_errands();
        let [errand] = errands.as_slice() else { panic!("one errand: {errands:?}") };
        let read: serde_json::Value = serde_json::from_str(errand).expect("JSON");
        let id = read["id"].as_str().expect("an id");
        quick.analysis_at(id, 3);
        let (_, answer) = ask(&quick, "GET", &format!("/api/v1/analyses/{id}"), "");
        assert_eq!(answer["row"]["done"], 3);
        slow.analyse(id, [1, 1], Arc::new(|_| {})).expect("analysed");
        quick.ended(errand, None).expect("an errand");
        let (_, answer) = ask(&quick, "GET", &format!("/api/v1/analyses/{id}"), "");
        assert_eq!(answer["row"]["state"], "done", "{answer}");
        assert!(!answer["matches"].as_array().expect("matches").is_empty());
        new_positions_are_drawn_by_the_slow_process(&quick, &slow, &answer);
    }

    /// The mistakes of the first player become cards, and new positions are like them.
    fn new_positions_are_drawn_by_the_slow_process(
        quick: &Process,
        slow: &Process,
        analysis: &serde_json::Value,
    ) {
        let player = &analysis["matches"][0]["names"][0];
        let body = serde_json::json!({"analysis": analysis["row"]["id"], "player": player});
        let (status, taken) = ask(quick, "POST", "/api/v1/practice/matches", &body.to_string());
        assert_eq!(status, 200, "{taken}");
        let (address, json) = ("/api/v1/practice/positions", "application/json");
        let body = serde_json::json!({"player": player, "count": 1, "seed": 1, "ply": 1});
        let body = body.to_string();
        let answer = quick.answer("POST", address, json, body.clone().into());
        assert!(answer.expect("answered").is_for_slow());
        let mut answer = slow.answer("POST", address, json, body.into()).expect("answered");
        let events = String::from_utf8(answer.whole()).expect("text");
        assert!(events.contains("event: done"), "{events}");
        let (_, practice) = ask(quick, "GET", "/api/v1/practice", "");
        assert_eq!(practice["new"].as_array().map(Vec::len), Some(1), "{practice}");
    }
}
