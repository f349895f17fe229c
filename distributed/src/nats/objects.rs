//! Large pieces of data in the object store, by their checksums.

use std::collections::VecDeque;
use std::sync::Arc;

use async_nats::jetstream::object_store::ObjectMetadata;
use tokio::io::AsyncReadExt;

use super::connection::Streams;
use super::message::{digest, hex};
use crate::parts::Digest;

/// Objects are sent in pieces of this size, in bytes: each piece is a message that the server
/// confirms.
const CHUNK: usize = 1 << 19;

/// Objects that are kept for the next tasks: some teams of nine nets.
const KEPT_OBJECTS: usize = 64;

/// Objects that a dispatcher has put into the store, with their names, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentObjects(VecDeque<(Digest, Arc<[u8]>)>);

impl RecentObjects {
    /// The name of these bytes. Comparing them with the recent ones is quicker than their checksum,
    /// and most nets of a batch are those of the task before.
    pub(super) fn name_of(&self, bytes: &Arc<[u8]>) -> Digest {
        let recent = self.0.iter().rfind(|(_, other)| Arc::ptr_eq(other, bytes) || other == bytes);
        recent.map_or_else(|| digest(bytes), |(name, _)| *name)
    }

    /// A task needs these objects. Returns those that are not kept any longer.
    pub(super) fn were_needed(&mut self, names: &[Digest], pieces: &[Arc<[u8]>]) -> Vec<Digest> {
        self.0.retain(|(name, _)| !names.contains(name));
        self.0.extend(names.iter().copied().zip(pieces.iter().cloned()));
        let too_many = self.0.len().saturating_sub(KEPT_OBJECTS.max(names.len()));
        self.0.drain(..too_many).map(|(name, _)| name).collect()
    }
}

/// Why there is no such object.
pub(super) enum ObjectError {
    /// The store does not hold it.
    Missing,
    /// The store cannot be asked, or holds something else.
    Failed(String),
}

impl Streams {
    /// Puts an object into the store unless it is there; whether it had to.
    pub(super) async fn put(&self, name: &Digest, bytes: &[u8]) -> Result<bool, String> {
        let name = hex(name);
        if self
            .objects
            .info(&name)
            .await
            .is_ok_and(|info| !info.deleted && info.size == bytes.len())
        {
            return Ok(false);
        }
        let mut reader = bytes;
        let chunk_size = CHUNK.min(self.client.server_info().max_payload / 2).max(1);
        let object = ObjectMetadata { name, chunk_size: Some(chunk_size), ..Default::default() };
        self.objects.put(object, &mut reader).await.map(|_| true).map_err(|error| error.to_string())
    }

    /// An object of the store, checked.
    pub(super) async fn get(&self, name: &Digest) -> Result<Vec<u8>, ObjectError> {
        let failed = |reason: String| ObjectError::Failed(reason);
        let mut object = match self.objects.get(hex(name)).await {
            Ok(object) => object,
            Err(error)
                if error.kind() == async_nats::jetstream::object_store::GetErrorKind::NotFound =>
            {
                return Err(ObjectError::Missing);
            }
            Err(error) => return Err(failed(error.to_string())),
        };
        let mut bytes = Vec::with_capacity(object.info().size.min(1 << 28));
        object.read_to_end(&mut bytes).await.map_err(|error| failed(error.to_string()))?;
        if digest(&bytes) != *name {
            // Whoever has it puts it there again.
            return Err(ObjectError::Missing);
        }
        Ok(bytes)
    }

    /// Removes an object that nobody needs any more.
    pub(super) async fn remove(&self, name: &Digest) {
        // It ages away if this fails.
        let _ = self.objects.delete(hex(name)).await;
    }
}
