//! `nonet gnubg-player`: an external player for gnubg.

use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};

use anyhow::Context;
use nonet::engine::Engine;
use nonet::protocol::gnubg::GnubgServer;
use nonet::search::SearchSettings;

use super::engine_args::{CubeDepthArgs, EngineArgs, PlayDepthArgs};
use super::usage;

/// Waits for GNU Backgammon and plays against it. There, `set player 0 external 127.0.0.1:6500` (or Settings, Players,
/// External) makes this program player 0; then `new match 3` begins.
///
/// gnubg's board lines do not contain the Jacoby rule of money games (see --jacoby) and the order of the scores. The order is
/// known for gnubg 1.07; for other versions, --my-name gives the name of this player in gnubg.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Address to listen on, such as 127.0.0.1:6500; port 0 takes a free one.
    #[arg(long, value_name = "ADDR")]
    listen: String,
    /// The name that gnubg gives this player.
    #[arg(long, value_name = "NAME")]
    my_name: Option<String>,
    /// Money games use the Jacoby rule, as gnubg does by default.
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
        let stream = stream.context("cannot accept a connection")?;
        let (engine, player) = (engine.clone(), player.clone());
        let conversation = move || converse(&player, &engine, &stream);
        if args.once {
            return conversation();
        }
        // Each connection has its own thread.
        std::thread::Builder::new().name("gnubg".into()).spawn(move || {
            if let Err(error) = conversation() {
                let _ = writeln!(io::stderr(), "error: {error:#}");
            }
        })?;
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
        .with_context(|| format!("{peer}: disconnected after a line that cannot be answered"))?;
    writeln!(err, "{peer}: left after {answered} decisions")?;
    Ok(())
}
