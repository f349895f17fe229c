//! The tasks that a worker has opened, and the large data that they need.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::future::join_all;
use tokio::sync::Mutex;

use super::connection::Streams;
use super::message::{JobMessage, PartOutcome};
use super::objects::ObjectError;
use crate::maker::OpenTeams;
use crate::parts::Digest;
use crate::tasks::open_task;
use nonet_engine::progress::RemoteTask;

/// Tasks that stay open.
const KEPT_TASKS: usize = 8;

/// Attachments that are kept: some teams of nine nets.
const KEPT_ATTACHMENTS: usize = 96;

type Opened = Result<Arc<dyn RemoteTask>, String>;

/// The tasks of a worker; all its slots share them.
#[derive(Default)]
pub(super) struct WorkerTasks(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// By [`JobMessage::opened`].
    tasks: VecDeque<(Digest, Opened)>,
    attachments: VecDeque<(Digest, Arc<[u8]>)>,
    teams: OpenTeams,
}

impl Kept {
    /// An attachment that is kept here, or from the store.
    async fn attachment(&self, name: &Digest, streams: &Streams) -> Result<Arc<[u8]>, ObjectError> {
        match self.attachments.iter().find(|(other, _)| other == name) {
            Some((_, bytes)) => Ok(Arc::clone(bytes)),
            None => Ok(streams.get(name).await?.into()),
        }
    }

    /// Keeps this attachment as the latest one.
    fn keep(&mut self, name: &Digest, bytes: &Arc<[u8]>) {
        self.attachments.retain(|(other, _)| other != name);
        self.attachments.push_back((*name, Arc::clone(bytes)));
        let too_many = self.attachments.len().saturating_sub(KEPT_ATTACHMENTS);
        self.attachments.drain(..too_many);
    }
}

/// Why a part cannot be done now.
pub(super) enum NotOpen {
    /// Tell the dispatcher.
    Say(PartOutcome),
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
        let own = job.opened();
        let mut kept = self.0.lock().await;
        let impossible = |reason: &String| NotOpen::Say(PartOutcome::Impossible(reason.clone()));
        if let Some((_, opened)) = kept.tasks.iter().find(|(name, _)| *name == own) {
            return opened.as_ref().map(Arc::clone).map_err(impossible);
        }
        let fetched = join_all(job.attachments.iter().map(|name| kept.attachment(name, streams)));
        let fetched = fetched.await;
        let named = || job.attachments.iter().zip(&fetched);
        // Also if another one is missing: this part will come again.
        for (name, bytes) in named().filter_map(|(name, bytes)| Some((name, bytes.as_ref().ok()?)))
        {
            kept.keep(name, bytes);
        }
        let mut attachments = Vec::new();
        for (name, fetched) in job.attachments.iter().zip(fetched) {
            attachments.push(match fetched {
                Ok(bytes) => bytes,
                // The dispatcher puts it there again.
                Err(ObjectError::Missing | ObjectError::Broken) => {
                    return Err(NotOpen::Say(PartOutcome::Missing(*name)));
                }
                Err(ObjectError::Failed(reason)) => return Err(NotOpen::Later(reason)),
            });
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
        kept.tasks.push_back((own, opened));
        if kept.tasks.len() > KEPT_TASKS {
            kept.tasks.pop_front();
        }
        ended
    }
}
