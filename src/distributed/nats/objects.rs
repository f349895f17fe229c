//! Large pieces of data in the object store, by their checksums.

use tokio::io::AsyncReadExt;

use super::connection::Streams;
use super::message::{digest, hex};
use crate::distributed::parts::Digest;

/// Why there is no such object.
pub(super) enum ObjectError {
    /// The store does not hold it.
    Missing,
    /// The store cannot be asked, or holds something else.
    Failed(String),
}

impl Streams {
    /// Puts an object into the store unless it is there.
    pub(super) async fn put(&self, name: &Digest, bytes: &[u8]) -> Result<(), String> {
        let name = hex(name);
        if self
            .objects
            .info(&name)
            .await
            .is_ok_and(|info| !info.deleted && info.size == bytes.len())
        {
            return Ok(());
        }
        let mut reader = bytes;
        self.objects
            .put(name.as_str(), &mut reader)
            .await
            .map(drop)
            .map_err(|error| error.to_string())
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
