//! One task on its way: parts are sent, results checked, and what takes too long is sent again or
//! done here.

use std::ops::Range;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::context::PublishErrorKind;
use futures_util::StreamExt;
use futures_util::future::join_all;

use super::dispatcher::Shared;
use super::message::{JOBS, JobMessage, RESULTS, digest, jobs_of, results_of, task_digest};
use super::own_threads::{OwnWork, PartEnd};
use super::task_results::HandledMessages;
use crate::parts::{Digest, Parts};
use nonet_engine::progress::{Description, DispatchError, Job, to_bytes};

/// How often to look around while no result comes.
const TICK: Duration = Duration::from_millis(100);

/// Without a result for this long, the stream of results is read: one may have come while the
/// connection was down.
const READ_AGAIN: Duration = Duration::from_secs(3);

/// A server that takes no parts is tried again after this time.
const RETRY: Duration = Duration::from_secs(2);

/// A part is sent at most so often; then it is done here.
pub(super) const MOST_ATTEMPTS: u32 = 3;

/// A part is sent again if no result came for this many times the time of the longest part, within
/// these bounds, in seconds.
const PATIENCE: f64 = 4.0;
const SHORTEST_PATIENCE: f64 = 1.0;
const LONGEST_PATIENCE: f64 = 86_400.0;

/// How long to wait for a part, in seconds, where the longest part takes `longest`.
fn patience(longest: f64) -> f64 {
    (PATIENCE * longest).clamp(SHORTEST_PATIENCE, LONGEST_PATIENCE)
}

pub(super) struct TaskRun<'a> {
    pub(super) shared: &'a Shared,
    pub(super) job: &'a dyn Job,
    description: &'a Description,
    pub(super) attachments: Vec<Digest>,
    pub(super) task: Digest,
    pub(super) parts: Parts,
    pub(super) began: Instant,
    /// When the last result of an open part came, or the task began.
    pub(super) heard: Instant,
    /// When the stream of results was read.
    looked: Instant,
    /// The longest that a part has taken so far, in seconds.
    pub(super) longest: f64,
    /// Since when the server takes no parts, and when it was tried last.
    blocked: Option<(Instant, Instant)>,
    /// Parts that this machine must do.
    pub(super) only_here: Vec<usize>,
    pub(super) own: OwnWork,
    /// Results that were removed from the store, as it did not give them: no worker's fault.
    pub(super) forgotten: Vec<Digest>,
    /// Messages that the stream may give once more.
    pub(super) handled: HandledMessages,
    /// The last message of the stream of results that was read.
    pub(super) read: u64,
}

/// How many items make a part.
///
/// There are about four parts for each thread, so that no thread waits long for the last part. A
/// part is not too small for a message, and not so large that a worker that dies takes much with
/// it.
fn grain(items: u64, worth: u64, slots: u64) -> u64 {
    items.div_ceil(4 * slots).clamp(worth.div_ceil(2), 4 * worth.min(u64::MAX / 4))
}

/// How many parts may be with the workers and in the queue: each worker finds the next one when it
/// has done one. The rest waits here, for this machine's own threads.
fn room(slots: u64) -> usize {
    2 * slots.max(1) as usize + 1
}

/// Whether a part that takes long may be sent again: if there is nothing else to send, or no room
/// for it. The workers may have taken all that was sent and never answer.
fn may_send_again(waiting: usize, sent: usize, slots: u64) -> bool {
    waiting == 0 || sent >= room(slots)
}

impl<'a> TaskRun<'a> {
    pub(super) fn new(
        shared: &'a Shared,
        job: &'a dyn Job,
        description: &'a Description,
        numbers: Range<u64>,
        own: OwnWork,
    ) -> TaskRun<'a> {
        let pieces = description.attachments.pieces();
        // A copy, so that no other thread waits for checksums.
        let objects = shared.state().objects.clone();
        let attachments: Vec<Digest> = pieces.iter().map(|piece| objects.name_of(piece)).collect();
        let input = digest(&job.input(&numbers));
        let task = task_digest(job.kind(), &description.settings, &attachments, &input);
        let slots = shared.workers.count().1 + own.threads() as u64;
        let grain = grain(numbers.end - numbers.start, job.grain(), slots);
        let parts = Parts::new(numbers, grain);
        let now = Instant::now();
        let (began, heard, looked) = (now, now, now);
        TaskRun {
            shared,
            job,
            description,
            attachments,
            task,
            parts,
            began,
            heard,
            looked,
            longest: 0.0,
            blocked: None,
            only_here: Vec::new(),
            own,
            forgotten: Vec::new(),
            handled: HandledMessages::default(),
            read: 0,
        }
    }

    /// Sees the task through.
    pub(super) async fn run(mut self) -> Result<(), DispatchError> {
        let client = &self.shared.streams.client;
        let Ok(mut results) = client.subscribe(results_of(&self.task)).await else {
            return Err(DispatchError::Failed(
                "the connection to the NATS server is closed".into(),
            ));
        };
        let _ = self.put_attachments().await;
        let ended = self.see_through(&mut results).await;
        if let Err(error) = &ended {
            self.give_up(error);
        }
        self.tidy(ended.is_ok()).await;
        // Nothing of this task waits any more, however it has ended.
        let status = &mut self.shared.state().status;
        (status.waiting, status.sent) = (0, 0);
        ended
    }

    /// Says at once why the work failed, and stops the parts that are in work here: the caller
    /// waits for them, and one may take an hour.
    fn give_up(&self, error: &DispatchError) {
        if let DispatchError::Failed(reason) = error {
            self.shared.say(&format!("the work is given up: {reason}"));
        }
        self.job.stop();
    }

    async fn see_through(&mut self, results: &mut Subscriber) -> Result<(), DispatchError> {
        self.read_results().await?;
        while !self.parts.is_done() {
            if self.job.is_stopped() {
                return Err(DispatchError::Stopped);
            }
            self.send().await;
            self.count();
            while self.own.has_room()
                && let Some(part) = self.part_for_here().await
            {
                self.parts.begin_here(part);
                self.own.begin(part, self.parts.numbers(part));
            }
            tokio::select! {
                message = results.next() => match message {
                    Some(message) => self.result(&message.payload).await?,
                    None => tokio::time::sleep(TICK).await,
                },
                ended = self.own.part_end(), if self.own.is_busy() => self.was_done_here(ended)?,
                () = tokio::time::sleep(TICK) => self.look_around().await?,
            }
        }
        Ok(())
    }

    /// A part that this machine's own threads should begin now. The first of these that exists:
    ///
    /// - a part that this machine must do
    /// - the last of the parts that the workers have not been sent yet
    /// - a part that waits in the queue behind others
    async fn part_for_here(&mut self) -> Option<usize> {
        while let Some(part) = self.only_here.pop() {
            // A worker may have been faster.
            if self.parts.is_open(part) {
                return Some(part);
            }
        }
        if self.shared.options.only_coordinate && !self.is_alone() {
            return None;
        }
        if let Some(part) = self.parts.last_waiting() {
            return Some(part);
        }
        let slots = self.shared.workers.count().1 as usize;
        if slots == 0 || self.parts.sent() <= slots || !self.shared.streams.is_connected() {
            return None;
        }
        let (part, message) = self.parts.newest()?;
        let streams = &self.shared.streams.context;
        let jobs = streams.get_stream_no_info(JOBS).await.ok()?;
        // If it is gone, a worker has done the part.
        jobs.delete_message(message).await.is_ok_and(|deleted| deleted).then_some(part)
    }

    /// Whether this machine must work: for too long, no worker is there or no part can be sent.
    fn is_alone(&self) -> bool {
        let Shared { options, workers, started, .. } = self.shared;
        let last = workers.last().unwrap_or(*started);
        let alone = workers.count().0 == 0 && last.elapsed() >= options.alone_after;
        alone || self.blocked.is_some_and(|(since, _)| since.elapsed() >= options.alone_after)
    }

    fn was_done_here(&mut self, ended: Option<PartEnd>) -> Result<(), DispatchError> {
        match ended {
            Some(PartEnd { part, whole: true }) => {
                self.parts.was_done(part, None);
                self.shared.state().status.done_here += 1;
                Ok(())
            }
            _ => Err(DispatchError::Stopped),
        }
    }

    /// Milliseconds since the task began.
    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Tells the status what waits. Tasks that run at the same time show the last one.
    fn count(&self) {
        let status = &mut self.shared.state().status;
        (status.waiting, status.sent) = (self.parts.waiting() as u64, self.parts.sent() as u64);
    }

    /// Puts the attachments into the store; whether it holds all of them.
    pub(super) async fn put_attachments(&mut self) -> bool {
        let streams = &self.shared.streams;
        let pieces = self.attachments.iter().zip(self.description.attachments.pieces());
        let put = pieces.map(|(name, piece)| async move {
            let sent = streams.put(name, piece).await?;
            Ok(if sent { piece.len() } else { 0 })
        });
        let put: Result<Vec<usize>, String> = join_all(put).await.into_iter().collect();
        let new_bytes: usize = match put {
            Ok(put) => put.into_iter().sum(),
            Err(reason) => {
                self.trouble(&reason);
                return false;
            }
        };
        let old: Vec<Digest> = {
            let mut state = self.shared.state();
            state.status.bytes += new_bytes as u64;
            if self.blocked.is_none() {
                state.recent.was_sent(self.job.kind(), new_bytes);
            }
            let pieces = self.description.attachments.pieces();
            state.objects.were_needed(&self.attachments, pieces)
        };
        for name in &old {
            streams.remove(name).await;
        }
        true
    }

    /// The server does not do what it should.
    fn trouble(&mut self, reason: &str) {
        self.shared.say(&format!(
            "the NATS server takes no work: {reason}; trying again, and doing the work here meanwhile"
        ));
        let now = Instant::now();
        self.blocked = Some((self.blocked.map_or(now, |(since, _)| since), now));
    }

    /// Sends what waits, as far as there is room in the queue.
    async fn send(&mut self) {
        if self.blocked.is_some_and(|(_, tried)| tried.elapsed() < RETRY) {
            return;
        }
        if !self.shared.streams.is_connected() {
            return self.trouble("the connection is lost");
        }
        if self.blocked.is_some() {
            // Streams may be gone, and the store empty.
            let _ = self.shared.streams.mend().await;
            if !self.put_attachments().await {
                return;
            }
        }
        let room = room(self.shared.workers.count().1);
        let mut sent = Vec::new();
        while self.parts.sent() < room
            && sent.len() < 64
            && let Some(part) = self.parts.next()
        {
            self.parts.was_sent(part, self.now());
            // What came back too often is done here.
            match self.parts.attempts(part) > MOST_ATTEMPTS {
                true => self.only_here.push(part),
                false => sent.push(part),
            }
        }
        if !sent.is_empty() {
            self.publish(&sent).await;
        } else if self.parts.waiting() == 0 {
            // The server is there again, and there is nothing that it could refuse.
            self.blocked = None;
        }
    }

    /// Publishes parts that were marked as sent; those that the server does not take come back.
    async fn publish(&mut self, sent: &[usize]) {
        let streams = &self.shared.streams;
        let most = streams.client.server_info().max_payload;
        let subject = jobs_of(&self.shared.build, &self.task);
        let mut acks = Vec::new();
        let mut failed = None;
        for &part in sent {
            let numbers = self.parts.numbers(part);
            let message = to_bytes(&JobMessage {
                task: self.task,
                kind: self.job.kind().to_owned(),
                settings: self.description.settings.clone(),
                attachments: self.attachments.clone(),
                input: self.job.input(&numbers),
                numbers: numbers.clone(),
                seconds: patience(self.job.longest()) as u32,
            });
            if message.len() + 1024 > most {
                self.only_here.push(part);
                continue;
            }
            self.shared.state().status.bytes += message.len() as u64;
            let ack = streams.context.publish(subject.clone(), message.into());
            acks.push((part, ack.await));
        }
        let acks = acks.into_iter().map(|(part, ack)| async move {
            let ended = match ack {
                Ok(ack) => ack.await.map(|ack| ack.sequence),
                Err(error) => Err(error),
            };
            (part, ended)
        });
        for (part, ended) in join_all(acks).await {
            match ended {
                Ok(message) => self.parts.is_message(part, message),
                Err(error) => {
                    self.parts.was_not_sent(part);
                    let reason = match error.kind() {
                        PublishErrorKind::StreamNotFound => "its streams are gone".to_owned(),
                        _ => std::error::Error::source(&error)
                            .map_or_else(|| error.to_string(), ToString::to_string),
                    };
                    failed = Some(reason);
                }
            }
        }
        match failed {
            Some(reason) => self.trouble(&reason),
            None => self.blocked = None,
        }
    }

    /// While no result comes: reads the stream of results, sends again what takes long, or takes it
    /// back.
    async fn look_around(&mut self) -> Result<(), DispatchError> {
        let (workers, slots) = self.shared.workers.count();
        if self.is_alone()
            && self.only_here.is_empty()
            && let Some(part) = self.parts.undone()
        {
            self.only_here.push(part);
        }
        if workers == 0 && self.shared.started.elapsed() > Duration::from_secs(2) {
            self.shared.say(&format!(
                "no worker is there: this machine works alone until one comes (nonet worker --nats {})",
                self.shared.options.login.place()
            ));
        }
        // What takes several times as long as others did may be with a worker that is dead or slow.
        let longest = if self.longest > 0.0 { self.longest } else { self.job.longest() };
        let patience = Duration::from_secs_f64(patience(longest));
        let may = may_send_again(self.parts.waiting(), self.parts.sent(), slots);
        if workers > 0 && may && self.heard.elapsed() > patience {
            let limit = self.now().saturating_sub(patience.as_millis() as u64);
            if let Some(part) = self.parts.sent_before(limit) {
                if self.parts.attempts(part) < MOST_ATTEMPTS {
                    self.shared.state().status.sent_again += 1;
                    self.parts.was_sent(part, self.now());
                    self.publish(&[part]).await;
                } else if !self.only_here.contains(&part) {
                    self.only_here.push(part);
                }
            }
        }
        let is_time = self.heard.elapsed() > READ_AGAIN && self.looked.elapsed() > READ_AGAIN;
        if is_time && self.shared.streams.is_connected() {
            self.looked = Instant::now();
            self.read_results().await?;
        }
        Ok(())
    }

    /// Removes what the server holds of this task. The results of a task that was stopped stay: it
    /// may go on.
    async fn tidy(&self, done: bool) {
        let context = &self.shared.streams.context;
        let purge = async |name: &str, subject: String| {
            if let Ok(stream) = context.get_stream_no_info(name).await {
                let _ = stream.purge().filter(subject).await;
            }
        };
        let all = async {
            purge(JOBS, jobs_of(&self.shared.build, &self.task)).await;
            if done {
                purge(RESULTS, results_of(&self.task)).await;
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(2), all).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulation_of_an_hour_is_waited_for() {
        assert_eq!(patience(3600.0), 4.0 * 3600.0);
        assert_eq!([0.0, 1e9].map(patience), [SHORTEST_PATIENCE, LONGEST_PATIENCE]);
    }

    #[test]
    fn what_is_not_answered_is_sent_again_however_much_of_it_there_is() {
        for slots in [0, 1, 8] {
            for sent in 0..=room(slots) {
                assert!(may_send_again(0, sent, slots), "nothing waits");
            }
            assert!(may_send_again(5, room(slots), slots), "what waits cannot be sent");
            assert!(!may_send_again(5, room(slots) - 1, slots), "what waits goes first");
        }
    }
}
