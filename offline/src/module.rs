//! What the JavaScript around the module calls.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use nonet_engine::store::files::{self, Change, Content};
use nonet_serve::DirectAnswer;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::process::{Process, Role};
use crate::training::TrainingRun;

thread_local! {
    /// Called while long work goes on.
    static TOLD: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Says how far work is.
fn tell(done: u64) {
    TOLD.with_borrow(|told| {
        if let Some(told) = told {
            // An error of the page is the page's.
            let _ = told.call1(&wasm_bindgen::JsValue::NULL, &(done as f64).into());
        }
    });
}

/// The text of a panic goes to the console of the browser.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let log = js_sys::Reflect::get(&js_sys::global(), &"nonetPanic".into());
        if let Ok(log) = log.and_then(JsCast::dyn_into::<js_sys::Function>) {
            let _ = log.call1(&wasm_bindgen::JsValue::NULL, &panic.to_string().into());
        }
    }));
}

/// A file or folder that has changed.
#[wasm_bindgen]
pub struct FileChange(Change);

#[wasm_bindgen]
impl FileChange {
    /// Where it is.
    #[wasm_bindgen(getter)]
    pub fn path(&self) -> String {
        self.0.path.to_string_lossy().into_owned()
    }

    /// `nothing`, `folder` or `file`.
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        let kind = match self.0.content {
            Content::Nothing => "nothing",
            Content::Folder => "folder",
            Content::File(_) => "file",
        };
        kind.to_owned()
    }

    /// The content of a file.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> Vec<u8> {
        match &self.0.content {
            Content::File(bytes) => bytes.clone(),
            Content::Nothing | Content::Folder => Vec::new(),
        }
    }
}

/// Puts a file or folder where it was, or removes it.
#[wasm_bindgen(js_name = putFile)]
pub fn put_file(path: &str, kind: &str, bytes: Vec<u8>) {
    let content = match kind {
        "file" => Content::File(bytes),
        "folder" => Content::Folder,
        _ => Content::Nothing,
    };
    files::apply(Change { path: PathBuf::from(path), content });
}

/// What has changed since the last call.
#[wasm_bindgen(js_name = takeChanges)]
pub fn take_changes() -> Vec<FileChange> {
    files::take_changes().into_iter().map(FileChange).collect()
}

/// An answer to a request.
#[wasm_bindgen]
pub struct ModuleAnswer(DirectAnswer);

#[wasm_bindgen]
impl ModuleAnswer {
    /// The status of HTTP.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// What the body is.
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        self.0.kind.clone()
    }

    /// Whether only a process for slow work gives the answer.
    #[wasm_bindgen(getter, js_name = isForSlow)]
    pub fn is_for_slow(&self) -> bool {
        self.0.is_for_slow()
    }

    /// The next part of the body.
    #[wasm_bindgen(js_name = nextPart)]
    pub fn next_part(&mut self) -> Option<Vec<u8>> {
        self.0.next_part()
    }
}

/// A process.
#[wasm_bindgen]
pub struct Module(Process);

#[wasm_bindgen]
impl Module {
    /// A process for quick answers, or for slow work.
    #[wasm_bindgen(constructor)]
    pub fn new(slow: bool) -> Result<Module, String> {
        let role = if slow { Role::Slow } else { Role::Quick };
        Process::new(role, "").map(Module).map_err(|error| error.to_string())
    }

    /// Answers a request.
    pub fn answer(
        &self,
        method: &str,
        address: &str,
        kind: &str,
        body: Vec<u8>,
    ) -> Result<ModuleAnswer, String> {
        self.0.answer(method, address, kind, body).map(ModuleAnswer)
    }

    /// The errands since the last call, as JSON.
    #[wasm_bindgen(js_name = takeErrands)]
    pub fn take_errands(&self) -> Vec<String> {
        self.0.take_errands()
    }

    /// Does an analysis; `told` hears how far it is.
    pub fn analyse(
        &self,
        id: &str,
        plies: u8,
        cube_plies: u8,
        told: js_sys::Function,
    ) -> Result<(), String> {
        TOLD.set(Some(told));
        let done = self.0.analyse(id, [plies, cube_plies], Arc::new(tell));
        TOLD.set(None);
        done
    }

    /// Another process says how far an analysis is.
    #[wasm_bindgen(js_name = analysisAt)]
    pub fn analysis_at(&self, id: &str, done: f64) {
        self.0.analysis_at(id, done as u64);
    }

    /// Another process has ended an errand.
    pub fn ended(&self, errand: &str, error: Option<String>) -> Result<(), String> {
        self.0.ended(errand, error)
    }
}

/// A training run.
#[wasm_bindgen]
pub struct Training(TrainingRun);

#[wasm_bindgen]
impl Training {
    /// Begins or resumes a run: the options of `nonet train`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Vec<String>) -> Result<Training, String> {
        TrainingRun::open(&options).map(Training)
    }

    /// Goes on for a while; whether there is more to do.
    pub fn step(&mut self, stops: bool) -> Result<bool, String> {
        self.0.step(stops)
    }
}
