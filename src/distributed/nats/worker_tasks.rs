//! The tasks that a worker has opened, and the large data that they need.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::connection::Streams;
use super::message::{JobMessage, Outcome};
use super::objects::ObjectError;
use crate::distributed::maker::OpenTeams;
use crate::distributed::parts::Digest;
use crate::distributed::tasks::open_task;
use crate::progress::RemoteTask;

/// Tasks that stay open, and attachments that are kept.
const KEPT: usize = 8;

type Opened = Result<Arc<dyn RemoteTask>, String>;

/// The tasks of a worker; all its slots share them.
#[derive(Default)]
pub(super) struct WorkerTasks(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    tasks: VecDeque<(Digest, Opened)>,
    attachments: VecDeque<(Digest, Arc<[u8]>)>,
    teams: OpenTeams,
}

/// Why a part cannot be done now.
pub(super) enum NotOpen {
    /// Tell the dispatcher.
    Say(Outcome),
    /// The server does not answer: try again.
    Later(String),
}

impl WorkerTasks {
    /// The task of a part. While one slot opens it, the others wait.
    pub(super) async fn open(
        &self,
        job: &JobMessage,
        streams: &Streams,
    ) -> Result<Arc<dyn RemoteTask>, NotOpen> {
        let mut kept = self.0.lock().await;
        let impossible = |reason: &String| NotOpen::Say(Outcome::Impossible(reason.clone()));
        if let Some((_, opened)) = kept.tasks.iter().find(|(name, _)| *name == job.task) {
            return opened.as_ref().map(Arc::clone).map_err(impossible);
        }
        let mut attachments = Vec::new();
        for name in &job.attachments {
            let known = kept.attachments.iter().find(|(other, _)| other == name);
            let bytes = match known {
                Some((_, bytes)) => Arc::clone(bytes),
                None => {
                    let bytes: Arc<[u8]> = match streams.get(name).await {
                        Ok(bytes) => bytes.into(),
                        Err(ObjectError::Missing) => {
                            return Err(NotOpen::Say(Outcome::Missing(*name)));
                        }
                        Err(ObjectError::Failed(reason)) => return Err(NotOpen::Later(reason)),
                    };
                    kept.attachments.push_back((*name, Arc::clone(&bytes)));
                    if kept.attachments.len() > KEPT {
                        kept.attachments.pop_front();
                    }
                    bytes
                }
            };
            attachments.push(bytes);
        }
        let (kind, settings) = (job.kind.clone(), job.settings.clone());
        let teams = kept.teams.clone();
        let opening = tokio::task::spawn_blocking(move || {
            open_task(&kind, &settings, attachments, &teams).map(Arc::from)
        });
        let opened: Opened = opening
            .await
            .unwrap_or_else(|_| Err("the task could not be opened: the worker failed".to_owned()));
        let ended = opened.as_ref().map(Arc::clone).map_err(impossible);
        kept.tasks.push_back((job.task, opened));
        if kept.tasks.len() > KEPT {
            kept.tasks.pop_front();
        }
        ended
    }
}
