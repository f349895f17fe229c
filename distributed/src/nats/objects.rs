//! Large pieces of data in the object store, by their checksums.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::object_store::ObjectMetadata;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::connection::Streams;
use super::message::{digest, hex};
use crate::parts::Digest;

/// Objects are sent in pieces of this size, in bytes: each piece is a message that the server
/// confirms.
const CHUNK: usize = 1 << 19;

/// No object is larger, in bytes: this is also the most that a message may claim to hold.
const MOST_BYTES: usize = 1 << 28;

/// Room that is made for an object before its bytes come.
const FIRST_ROOM: usize = 1 << 22;

/// An object is broken if its bytes do not come within this time.
///
/// Either the store is too slow, or it does not hold all pieces of the object.
const LONGEST_READ: Duration = Duration::from_secs(120);

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
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ObjectError {
    /// The store does not hold it, or holds other bytes under its name.
    Missing,
    /// The store names it, but gives damaged bytes, or not all of them in time.
    Broken,
    /// The store cannot be asked.
    Failed(String),
}

/// The bytes of an object that says that it has `size` of them: at most `most`, within `wait`.
async fn read(
    object: impl AsyncRead + Unpin,
    size: usize,
    most: usize,
    wait: Duration,
) -> Result<Vec<u8>, ObjectError> {
    if size > most {
        return Err(ObjectError::Missing);
    }
    let mut bytes = Vec::with_capacity(size.min(FIRST_ROOM));
    let mut object = object.take(most as u64 + 1);
    match tokio::time::timeout(wait, object.read_to_end(&mut bytes)).await {
        Ok(Ok(_)) if bytes.len() <= most => Ok(bytes),
        Ok(Ok(_)) => Err(ObjectError::Missing),
        // The bytes differ from those that were put.
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
            Err(ObjectError::Broken)
        }
        Ok(Err(error)) => Err(ObjectError::Failed(error.to_string())),
        Err(_) => Err(ObjectError::Broken),
    }
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
        let object = match self.objects.get(hex(name)).await {
            Ok(object) => object,
            Err(error)
                if error.kind() == async_nats::jetstream::object_store::GetErrorKind::NotFound =>
            {
                return Err(ObjectError::Missing);
            }
            Err(error) => return Err(ObjectError::Failed(error.to_string())),
        };
        let size = object.info().size;
        let bytes = read(object, size, MOST_BYTES, LONGEST_READ).await?;
        if digest(&bytes) == *name { Ok(bytes) } else { Err(ObjectError::Missing) }
    }

    /// Removes an object that is not needed any more, or that is to be put again.
    pub(super) async fn remove(&self, name: &Digest) {
        // It ages away if this fails.
        let _ = self.objects.delete(hex(name)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_ends_in_size_and_time() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime").block_on(async {
            let wait = Duration::from_secs(60);
            let whole = read(&b"abc"[..], 3, 4, wait).await;
            assert_eq!(whole, Ok(b"abc".to_vec()));
            let claims_much = read(&b"abc"[..], usize::MAX, 4, wait).await;
            assert_eq!(claims_much, Err(ObjectError::Missing));
            let endless = read(tokio::io::repeat(7), 3, 1000, wait).await;
            assert_eq!(endless, Err(ObjectError::Missing));
            // The other end stays open and sends nothing.
            let (_open, silent) = tokio::io::duplex(8);
            let never = read(silent, 3, 4, Duration::from_millis(20)).await;
            assert_eq!(never, Err(ObjectError::Broken));
        });
    }
}
