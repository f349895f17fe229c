//! The results of a task: read, checked, taken or refused.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer;
use futures_util::StreamExt;

use super::message::{
    MOST_NAME, PartOutcome, RESULTS, ResultBytes, ResultMessage, digest, plain, results_of,
};
use super::objects::ObjectError;
use super::task_run::TaskRun;
use crate::parts::{Digest, PartVerdict};
use nonet_engine::progress::{DispatchError, from_bytes, to_bytes};

/// A worker with this many refused results is not listened to any more.
const MOST_FAULTS: u32 = 3;

/// Whether the result of a part is computed again here: this share, chosen by the name of the part
/// and a secret. Without the secret, a worker would know which results are not checked.
fn is_sample(secret: u64, task: &Digest, start: u64, share: f64) -> bool {
    let [a, b, c, d, ..] = digest(&to_bytes(&(secret, task, start)));
    let chance = f64::from(u32::from_le_bytes([a, b, c, d])) / 2_f64.powi(32);
    chance < share
}

/// How long a part has taken if a worker says `said`, in seconds.
///
/// It is at most the time since the task began, or the longest time of a part if that is longer.
/// The wait for other workers depends on it.
fn believed(said: f64, longest: f64, elapsed: f64) -> f64 {
    if said.is_finite() { said.min(longest.max(elapsed)) } else { 0.0 }
}

/// Messages that were refused or wanted a net, by their checksums.
///
/// A message comes at once, and once more when the stream of results is read. A refusal counts
/// once, and a net that was missing is put into the store once.
#[derive(Debug, Default)]
pub(super) struct HandledMessages(BTreeSet<Digest>);

impl HandledMessages {
    fn remember(&mut self, payload: &[u8]) {
        self.0.insert(digest(payload));
    }

    fn holds(&self, payload: &[u8]) -> bool {
        !self.0.is_empty() && self.0.contains(&digest(payload))
    }
}

impl TaskRun<'_> {
    /// Reads the results that the stream holds: those of an earlier session, or of a time without
    /// connection.
    pub(super) async fn read_results(&mut self) -> Result<(), DispatchError> {
        let subject = results_of(&self.task);
        let Ok(stream) = self.shared.streams.context.get_stream_no_info(RESULTS).await else {
            return Ok(());
        };
        if stream
            .get_last_raw_message_by_subject(&subject)
            .await
            .map_or(true, |last| last.sequence <= self.read)
        {
            return Ok(());
        }
        let config = consumer::pull::OrderedConfig {
            filter_subject: subject,
            deliver_policy: consumer::DeliverPolicy::ByStartSequence {
                start_sequence: self.read + 1,
            },
            ..consumer::pull::OrderedConfig::default()
        };
        let Ok(reader) = stream.create_consumer(config).await else { return Ok(()) };
        let mut left = reader.cached_info().num_pending;
        let Ok(mut messages) = reader.messages().await else { return Ok(()) };
        while left > 0 {
            let next = tokio::time::timeout(Duration::from_secs(5), messages.next()).await;
            let Ok(Some(Ok(message))) = next else { break };
            self.read = message.info().map_or(self.read, |info| info.stream_sequence);
            left -= 1;
            self.result(&message.payload.clone()).await?;
        }
        Ok(())
    }

    /// Takes a result, or says what is wrong with it.
    pub(super) async fn result(&mut self, payload: &[u8]) -> Result<(), DispatchError> {
        if self.handled.holds(payload) {
            return Ok(());
        }
        let Ok(message) = from_bytes::<ResultMessage>(payload) else {
            self.shared.state().status.refused += 1;
            self.shared.say("a message came that is no result: it is left out");
            return Ok(());
        };
        let ResultMessage { task, numbers, worker, build, seconds, deliveries, outcome } = message;
        let worker = plain(&worker, MOST_NAME);
        let distrusted =
            self.shared.state().faults.get(&worker).is_some_and(|&faults| faults >= MOST_FAULTS);
        if task != self.task || distrusted || self.shared.build.difference(&build).is_some() {
            return Ok(());
        }
        let place = self.parts.verdict(&numbers, &[0; 32]);
        let part = match place {
            PartVerdict::New(part) => Some(part),
            _ => None,
        };
        // A worker that repeats itself must not keep parts from being sent again.
        if part.is_some() {
            self.heard = Instant::now();
        }
        match outcome {
            PartOutcome::Impossible(reason) => {
                self.shared.say(&format!(
                    "the worker {worker} cannot do its part: {reason}; it is done here"
                ));
                if let Some(part) = part
                    && !self.only_here.contains(&part)
                {
                    self.only_here.push(part);
                }
                Ok(())
            }
            PartOutcome::Missing(name) => {
                // It may be there and damaged. Objects of others are none of this task's business.
                if let Some(part) = part
                    && self.attachments.contains(&name)
                {
                    self.handled.remember(payload);
                    self.shared.streams.remove(&name).await;
                    let _ = self.put_attachments().await;
                    self.parts.back(part);
                }
                Ok(())
            }
            PartOutcome::Done { digest: named, bytes } => {
                let bytes = match bytes {
                    ResultBytes::Here(bytes) => bytes,
                    ResultBytes::Stored => match self.shared.streams.get(&named).await {
                        Ok(bytes) => bytes,
                        // Its message may be read a second time.
                        Err(ObjectError::Missing) if self.forgotten.contains(&named) => {
                            return Ok(());
                        }
                        Err(ObjectError::Missing) => {
                            // What has the same size would not be put again.
                            self.handled.remember(payload);
                            self.shared.streams.remove(&named).await;
                            let why = "the store does not have it, or has other bytes";
                            self.refuse(&worker, why, &numbers, part);
                            return Ok(());
                        }
                        // The store is at fault, not the worker.
                        Err(error) => {
                            if error == ObjectError::Broken {
                                self.shared.say("the store is too slow or damages results");
                                // What has the same size would not be put again.
                                self.shared.streams.remove(&named).await;
                                self.forgotten.push(named);
                            }
                            if let Some(part) = part {
                                self.parts.back(part);
                            }
                            return Ok(());
                        }
                    },
                };
                {
                    let status = &mut self.shared.state().status;
                    status.bytes += (payload.len()).max(bytes.len()) as u64;
                    status.redelivered += u64::from(deliveries > 1);
                }
                if digest(&bytes) != named {
                    self.handled.remember(payload);
                    self.refuse(&worker, "its checksum does not match", &numbers, part);
                    return Ok(());
                }
                let elapsed = self.began.elapsed().as_secs_f64();
                self.longest = self.longest.max(believed(seconds, self.job.longest(), elapsed));
                self.take(numbers, &named, &bytes, worker, payload).await
            }
        }
    }

    /// Takes the bytes of a result with the right checksum; `payload` is the message.
    async fn take(
        &mut self,
        numbers: Range<u64>,
        named: &Digest,
        bytes: &[u8],
        worker: String,
        payload: &[u8],
    ) -> Result<(), DispatchError> {
        match self.parts.verdict(&numbers, named) {
            PartVerdict::Known | PartVerdict::Foreign => Ok(()),
            PartVerdict::New(part) => {
                let (secret, share) = (self.shared.secret, self.shared.options.verify);
                if is_sample(secret, &self.task, numbers.start, share) {
                    let Some(again) = self.own.again(numbers.clone()).await else {
                        return Err(DispatchError::Stopped);
                    };
                    if again != bytes {
                        return Err(self.faulty(&worker, &numbers));
                    }
                    self.shared.state().status.verified += 1;
                }
                if let Err(reason) = self.job.accept(numbers.clone(), bytes) {
                    self.handled.remember(payload);
                    self.refuse(&worker, &reason, &numbers, Some(part));
                    return Ok(());
                }
                self.parts.was_done(part, Some((*named, worker)));
                self.shared.state().status.done += 1;
                Ok(())
            }
            PartVerdict::Differs(part, known, other) => {
                // One of two workers is wrong, or both. If the result that was taken is wrong,
                // nothing can be saved.
                let Some(again) = self.own.again(numbers.clone()).await else {
                    return Err(DispatchError::Stopped);
                };
                if digest(&again) != known {
                    return Err(self.faulty(&other, &numbers));
                }
                // As if it was done here: a third result need not be computed again.
                self.parts.was_done(part, None);
                self.handled.remember(payload);
                self.refuse(
                    &worker,
                    &format!("the worker {other} found another one, which is right"),
                    &numbers,
                    None,
                );
                Ok(())
            }
        }
    }

    /// A result that cannot be right: the part is done again.
    fn refuse(&mut self, worker: &str, reason: &str, numbers: &Range<u64>, part: Option<usize>) {
        let faults = {
            let mut state = self.shared.state();
            state.status.refused += 1;
            let faults = state.faults.entry(worker.to_owned()).or_default();
            *faults += 1;
            *faults
        };
        self.shared.say(&format!(
            "the worker {worker} sent a wrong result for the items {}..{}: {reason}; the part is done again{}",
            numbers.start,
            numbers.end,
            if faults >= MOST_FAULTS { ", and nothing is taken from this worker any more" } else { "" }
        ));
        part.into_iter().for_each(|part| self.parts.back(part));
    }

    fn faulty(&self, worker: &str, numbers: &Range<u64>) -> DispatchError {
        DispatchError::Failed(format!(
            "the worker {worker} is faulty: its result for the items {}..{} of a task of the kind '{}' looked right and was \
             computed otherwise here. Earlier results of it may be wrong, too: take it out, and begin this work again",
            numbers.start,
            numbers.end,
            self.job.kind()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_results_are_computed_again_depends_on_a_secret() {
        let parts = |secret, share| -> Vec<u64> {
            (0..10_000).filter(|&start| is_sample(secret, &[3; 32], start, share)).collect()
        };
        assert_eq!((parts(1, 0.0).len(), parts(1, 1.0).len()), (0, 10_000));
        let (one, other) = (parts(1, 0.1), parts(2, 0.1));
        assert!((850..1150).contains(&one.len()), "{} of 10,000", one.len());
        assert_ne!(one, other);
        assert_eq!(one, parts(1, 0.1), "a part that comes twice is treated the same");
    }

    #[test]
    fn a_message_that_was_handled_is_known_when_the_stream_gives_it_again() {
        let mut handled = HandledMessages::default();
        assert!(!handled.holds(b"damaged"));
        handled.remember(b"damaged");
        assert!(handled.holds(b"damaged") && !handled.holds(b"another"));
    }

    #[test]
    fn a_time_that_cannot_be_is_not_believed() {
        assert_eq!(believed(0.3, 15.0, 1.0), 0.3);
        assert_eq!(believed(1e300, 15.0, 1.0), 15.0);
        assert_eq!(believed(1e300, 15.0, 40.0), 40.0);
        assert_eq!(believed(f64::NAN, 15.0, 1.0), 0.0);
        assert_eq!(believed(f64::INFINITY, 15.0, 1.0), 0.0);
    }
}
