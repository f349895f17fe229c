//! The options by which a command shares its work with other machines.

use std::sync::Arc;

use nonet::progress::{Dispatcher, Progress};

#[cfg(feature = "nats")]
use crate::cli::error::usage;

/// The options of commands that can share their work.
#[derive(clap::Args)]
pub(crate) struct NatsArgs {
    /// Share the work with the workers of this NATS server.
    ///
    /// The URL is nats://HOST:4222 or tls://HOST:4222, of a server with JetStream. Each worker is a
    /// `nonet worker --nats URL`. The results are the same bytes.
    ///
    /// Credentials are in the variables of NATS's own tools: NATS_USER and NATS_PASSWORD,
    /// NATS_TOKEN, NATS_CREDS, NATS_NKEY, NATS_CA, NATS_CERT and NATS_KEY.
    #[arg(long, value_name = "URL", help_heading = "Many machines")]
    nats: Option<String>,
    /// Share of the results to compute again here, 0 to 1.
    ///
    /// This finds a faulty worker and names it.
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.01,
        requires = "nats",
        help_heading = "Many machines"
    )]
    verify: f64,
    /// Do not compute tasks here while workers are connected.
    ///
    /// Learning itself always runs here.
    #[arg(long, requires = "nats", help_heading = "Many machines")]
    only_coordinate: bool,
    /// Compute queued tasks here after this time alone.
    ///
    /// This happens if no worker is connected or the server takes no tasks.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60,
        requires = "nats",
        help_heading = "Many machines"
    )]
    alone_after: u32,
}

/// Who does the work of a command.
pub(crate) struct Machines {
    #[cfg(feature = "nats")]
    dispatcher: Option<Arc<nonet::distributed::NatsDispatcher>>,
    #[cfg(not(feature = "nats"))]
    dispatcher: Option<Arc<dyn Dispatcher>>,
}

impl NatsArgs {
    /// Whether the command should share its work.
    pub(crate) const fn is_given(&self) -> bool {
        self.nats.is_some()
    }

    /// Connects, if the command shares its work.
    #[cfg(feature = "nats")]
    pub(crate) fn connect(&self) -> anyhow::Result<Machines> {
        use nonet::distributed::{NatsDispatcher, NatsOptions};
        use std::time::Duration;

        if !(0.0..=1.0).contains(&self.verify) {
            return Err(usage(format!("invalid --verify '{}': expected 0 to 1", self.verify)));
        }
        let Some(url) = &self.nats else { return Ok(Machines { dispatcher: None }) };
        let alone_after = Duration::from_secs(self.alone_after.into());
        let NatsArgs { verify, only_coordinate, .. } = *self;
        let options = NatsOptions { login: login(url)?, verify, alone_after, only_coordinate };
        let dispatcher = NatsDispatcher::connect(options, say)?;
        Ok(Machines { dispatcher: Some(Arc::new(dispatcher)) })
    }

    /// An error if the command should share its work: this program cannot.
    #[cfg(not(feature = "nats"))]
    pub(crate) fn connect(&self) -> anyhow::Result<Machines> {
        match self.nats {
            None => Ok(Machines { dispatcher: None }),
            Some(_) => Err(without()),
        }
    }
}

/// This program was built without NATS.
#[cfg(not(feature = "nats"))]
pub(crate) fn without() -> anyhow::Error {
    crate::cli::error::usage(
        "this program was built without NATS: build it with `cargo build --release --features nats`",
    )
}

/// A line for people.
#[cfg(feature = "nats")]
pub(crate) fn say(words: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{words}");
}

/// The server, with the credentials of the environment.
#[cfg(feature = "nats")]
pub(crate) fn login(url: &str) -> anyhow::Result<nonet::distributed::NatsLogin> {
    use std::path::PathBuf;

    let text = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
    let path = |name: &str| text(name).map(PathBuf::from);
    let (certificate, key) = (path("NATS_CERT"), path("NATS_KEY"));
    if certificate.is_some() != key.is_some() {
        return Err(usage("NATS_CERT and NATS_KEY belong together: set both, or neither"));
    }
    Ok(nonet::distributed::NatsLogin {
        url: url.to_owned(),
        credentials: path("NATS_CREDS"),
        nkey: path("NATS_NKEY"),
        user: text("NATS_USER").map(|user| (user, text("NATS_PASSWORD").unwrap_or_default())),
        token: text("NATS_TOKEN"),
        authorities: path("NATS_CA"),
        certificate: certificate.zip(key),
    })
}

impl Machines {
    /// The same progress; work that can be shared goes to the workers, if there are any.
    pub(crate) fn of(&self, progress: Progress) -> Progress {
        match &self.dispatcher {
            Some(dispatcher) => {
                progress.with_dispatcher(Arc::clone(dispatcher) as Arc<dyn Dispatcher>)
            }
            None => progress,
        }
    }

    /// Whether work is shared.
    pub(crate) const fn are_many(&self) -> bool {
        self.dispatcher.is_some()
    }

    /// An error if the work was given up: a faulty worker was found.
    #[cfg_attr(not(feature = "nats"), allow(clippy::unused_self, clippy::unnecessary_wraps))]
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        #[cfg(feature = "nats")]
        if let Some(reason) = self.dispatcher.as_ref().and_then(|dispatcher| dispatcher.failure()) {
            anyhow::bail!("{reason}");
        }
        Ok(())
    }

    /// What the workers did, in a line on stderr.
    pub(crate) fn end(&self) {
        #[cfg(feature = "nats")]
        if let Some(dispatcher) = &self.dispatcher {
            let status = dispatcher.status();
            say(&format!(
                "{} parts done by workers, {} here; {} redelivered, {} sent again, {} refused, {} verified; {:.1} MB sent and \
                 received",
                status.done,
                status.done_here,
                status.redelivered,
                status.sent_again,
                status.refused,
                status.verified,
                status.bytes as f64 / 1e6
            ));
        }
    }
}
