//! `nonet gnubg-player`: an external player for gnubg.

use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::Duration;

use anyhow::Context;
use nonet::engine::Engine;
use nonet::protocol::gnubg::GnubgServer;
use nonet::search::SearchSettings;

use crate::cli::args::engine::{CubeDepthArgs, EngineArgs, PlayDepthArgs};
use crate::cli::error::usage;
use crate::cli::output::counted::counted;
use crate::cli::output::examples::examples;

/// Pause after a connection that could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Run as an external player for GNU Backgammon.
///
/// In GNU Backgammon, `set player 0 external 127.0.0.1:6500` makes this program player 0; the menu
/// is Settings, Players, External. Then `new match 3` begins.
///
/// GNU Backgammon does not send the Jacoby rule of money games: see --jacoby. It does not send the
/// order of the scores either. That order is known for version 1.07; with other versions, --my-name
/// gives the name of this player.
///
/// Bots of FIBS servers that were written for GNU Backgammon's command `external` connect, too.
/// They send the board lines of their server, and get the answers in their own points.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Wait at port 6500", "nonet gnubg-player --listen 127.0.0.1:6500"),
    (
        "Play at 2-ply, for money by the Jacoby rule",
        "nonet gnubg-player --listen 127.0.0.1:6500 --ply 2 --jacoby",
    ),
]))]
pub(crate) struct Args {
    /// Address to listen on, such as 127.0.0.1:6500.
    ///
    /// Port 0 takes a free port.
    #[arg(long, value_name = "ADDR")]
    listen: String,
    /// Name that GNU Backgammon gives this player.
    #[arg(long, value_name = "NAME")]
    my_name: Option<String>,
    /// Money games use the Jacoby rule.
    ///
    /// This is GNU Backgammon's default.
    #[arg(long)]
    jacoby: bool,
    /// Exit after the first connection.
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    depth: PlayDepthArgs,
    #[command(flatten)]
    cube: CubeDepthArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let addresses: Vec<_> = args
        .listen
        .to_socket_addrs()
        .map_err(|error| {
            usage(format!("invalid address '{}': {error}; expected HOST:PORT", args.listen))
        })?
        .collect();
    let engine = args
        .engine
        .open(args.depth.ply, SearchSettings::NORMAL)?
        .with_cube_plies(args.cube.cube_ply);
    let player = GnubgServer { own_name: args.my_name.clone(), jacoby: args.jacoby };
    let listener = TcpListener::bind(addresses.as_slice())
        .with_context(|| format!("cannot listen at {}", args.listen))?;
    let address = listener.local_addr()?;
    let mut out = io::stdout();
    writeln!(out, "listening at {address}; in gnubg: set player 0 external {address}")?;
    out.flush()?;
    for stream in listener.incoming() {
        let stream = match stream {
            Ok(stream) => stream,
            Err(error) if args.once => return Err(error).context("cannot accept a connection"),
            // The games of other connections go on.
            Err(error) => {
                writeln!(io::stderr(), "cannot accept a connection, and tries again: {error}")?;
                std::thread::sleep(ACCEPT_PAUSE);
                continue;
            }
        };
        let (engine, player) = (engine.clone(), player.clone());
        let conversation = move || converse(&player, &engine, &stream);
        if args.once {
            return conversation();
        }
        // Each connection has its own thread.
        let started = std::thread::Builder::new().name("gnubg".into()).spawn(move || {
            if let Err(error) = conversation() {
                let _ = writeln!(io::stderr(), "error: {error:#}");
            }
        });
        if let Err(error) = started {
            writeln!(io::stderr(), "cannot start a game, and takes others: {error}")?;
            std::thread::sleep(ACCEPT_PAUSE);
        }
    }
    Ok(())
}

fn converse(player: &GnubgServer, engine: &Engine, stream: &TcpStream) -> anyhow::Result<()> {
    let peer = stream.peer_addr()?;
    let mut err = io::stderr();
    writeln!(err, "{peer}: playing at {}", engine.plies())?;
    stream.set_nodelay(true)?;
    let input = BufReader::new(stream.try_clone()?);
    let answered = player
        .serve(engine, input, &mut &*stream)
        .with_context(|| format!("{peer}: disconnected"))?;
    writeln!(err, "{peer}: left after {}", counted(answered, "decision"))?;
    Ok(())
}
