//! A server and its clients on a simulated clock.

use std::collections::VecDeque;
use std::time::Duration;

use backgammon::{Candidate, Dice, GameState, Position, Stake};
use bgammon::agent::{Agent, Event, IdleAction};
use bgammon::server::{ClientId, Output, Server};
use bgammon::session::{Close, Config, Pace, Session, Step};
use bgammon::{Board, Message};

/// Plays by counting turns: any legal play, some doubles, drops from a 4-cube on.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    pub(crate) idle: Option<IdleAction>,
    pub(crate) events: Vec<Event>,
    pub(crate) rematches: u32,
    pub(crate) refuses: Vec<String>,
    pub(crate) quits: bool,
    /// Lines of the opponent that it was asked to answer.
    pub(crate) heard: u32,
    /// Whether everybody may give orders.
    pub(crate) obeys: bool,
    turns: u32,
}

impl Scripted {
    pub(crate) fn creating(points: u32) -> Scripted {
        let idle = Some(IdleAction::Create { points, title: "all welcome".into() });
        Scripted { idle, ..Scripted::default() }
    }

    pub(crate) fn joining(name: &str) -> Scripted {
        Scripted { idle: Some(IdleAction::Join(name.into())), ..Scripted::default() }
    }

    pub(crate) fn count(&self, wanted: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().filter(|event| wanted(event)).count()
    }

    pub(crate) fn matches_over(&self) -> usize {
        self.count(|event| matches!(event, Event::MatchOver { .. }))
    }
}

impl Agent for Scripted {
    fn play(&mut self, board: &Board, dice: Dice, plays: &[Candidate]) -> Position {
        assert_eq!(board.dice(), Some(dice));
        assert_eq!(board.pending, 0);
        self.turns += 1;
        plays[self.turns as usize % plays.len()].after
    }

    fn double(&mut self, game: &GameState) -> bool {
        assert!(game.may_double());
        self.turns % 7 == 3
    }

    fn take(&mut self, game: &GameState) -> bool {
        assert!(game.offered_value().is_some());
        game.state.cube.value() < 4
    }

    fn resign(&mut self, _: &GameState) -> Option<Stake> {
        (self.turns % 61 == 60).then_some(Stake::Backgammon)
    }

    fn joined(&mut self, opponent: &str, _: u32) -> Result<(), String> {
        if self.refuses.iter().any(|name| name == opponent) {
            return Err("Not today.".into());
        }
        Ok(())
    }

    fn rematch(&mut self, _: &str) -> bool {
        let wanted = self.rematches > 0;
        self.rematches = self.rematches.saturating_sub(1);
        wanted
    }

    fn takes_orders_from(&self, _: &str) -> bool {
        self.obeys
    }

    fn on_chat(&mut self, _: &str, text: &str) -> Vec<String> {
        self.heard += 1;
        // Two of them would talk for ever.
        if text.starts_with("you said") { Vec::new() } else { vec![format!("you said {text}")] }
    }

    fn idle(&mut self) -> IdleAction {
        self.idle.clone().unwrap_or(IdleAction::Nothing)
    }

    fn quits(&mut self) -> bool {
        self.quits
    }

    fn event(&mut self, event: &Event) {
        self.events.push(event.clone());
    }
}

/// What a link does to a line.
pub(crate) type Meddle = Box<dyn FnMut(&mut VecDeque<String>, String)>;

/// A client of the server.
pub(crate) struct Player {
    pub(crate) session: Session,
    pub(crate) agent: Scripted,
    pub(crate) connection: Option<ClientId>,
    /// When the next connection is made.
    pub(crate) connects_at: Duration,
    pub(crate) quit: bool,
    /// The player does nothing, but the connection is alive.
    pub(crate) asleep: bool,
    pub(crate) closed: Vec<Close>,
    pub(crate) sent: Vec<String>,
    /// Lines on their way to the client.
    inbox: VecDeque<String>,
    pub(crate) incoming: Meddle,
    pub(crate) outgoing: Meddle,
}

impl Player {
    pub(crate) fn new(name: &str, password: Option<&str>, seed: u64, agent: Scripted) -> Player {
        let pace = Pace {
            gap: Duration::from_millis(20),
            think: [Duration::from_millis(100), Duration::from_millis(900)],
        };
        let mut config = Config::new("test-1/en", name, password);
        (config.pace, config.seed) = (pace, seed);
        Player {
            session: Session::new(config),
            agent,
            connection: None,
            connects_at: Duration::ZERO,
            quit: false,
            asleep: false,
            closed: Vec::new(),
            sent: Vec::new(),
            inbox: VecDeque::new(),
            incoming: Box::new(|inbox, line| inbox.push_back(line)),
            outgoing: Box::new(|lines, line| lines.push_back(line)),
        }
    }
}

/// A server with its clients.
pub(crate) struct World {
    pub(crate) server: Server,
    pub(crate) players: Vec<Player>,
    pub(crate) now: Duration,
}

impl World {
    pub(crate) fn new(seed: u64, players: Vec<Player>) -> World {
        let mut server = Server::new(seed);
        server.register("bot_nonet", "Zanzibar7");
        World { server, players, now: Duration::ZERO }
    }

    /// Cuts the line of a player, who comes back after `pause`.
    pub(crate) fn cut(&mut self, player: usize, pause: Duration) {
        let now = self.now;
        let player = &mut self.players[player];
        if let Some(id) = player.connection.take() {
            self.server.disconnect(id, now);
        }
        player.inbox.clear();
        player.connects_at = now + pause;
    }

    /// The line of a player breaks, and the server does not notice: it refuses the next logins,
    /// since the name is in use.
    pub(crate) fn lose(&mut self, player: usize, pause: Duration) {
        self.players[player].connection = None;
        self.cut(player, pause);
    }

    /// Delivers what the server has sent.
    fn deliver(&mut self) {
        for (id, output) in self.server.take() {
            let now = self.now;
            let Some(player) = self.players.iter_mut().find(|p| p.connection == Some(id)) else {
                continue;
            };
            match output {
                Output::Line(line) => (player.incoming)(&mut player.inbox, line),
                Output::Close => {
                    // Lines that were sent before are still read.
                    while let Some(line) = player.inbox.pop_front() {
                        player.session.message(Message::parse(&line), now, &mut player.agent);
                    }
                    if let Step::Close(close) = player.session.step(now, &mut player.agent) {
                        player.quit |= close == Close::Quit;
                        player.closed.push(close);
                    }
                    (player.connection, player.connects_at) = (None, now + Duration::from_secs(5));
                }
            }
        }
    }

    /// Everything that is due now; the time of what is due next.
    fn settle(&mut self) -> Duration {
        let mut next = self.now + Duration::from_secs(10);
        self.server.tick(self.now);
        self.deliver();
        for i in 0..self.players.len() {
            let now = self.now;
            let player = &mut self.players[i];
            if player.quit {
                continue;
            }
            if let (true, Some(id)) = (player.asleep, player.connection) {
                self.server.line(id, "pong", now);
                continue;
            }
            if player.connection.is_none() {
                if now < player.connects_at {
                    next = next.min(player.connects_at);
                    continue;
                }
                player.connection = Some(self.server.connect(now));
                player.session.connected(now, &mut player.agent);
                self.deliver();
            }
            let player = &mut self.players[i];
            while let Some(line) = player.inbox.pop_front() {
                player.session.message(Message::parse(&line), now, &mut player.agent);
            }
            match player.session.step(now, &mut player.agent) {
                Step::Wait(until) => next = next.min(until.max(now + Duration::from_millis(1))),
                Step::Close(close) => {
                    player.quit |= close == Close::Quit;
                    player.closed.push(close);
                    self.cut(i, Duration::from_secs(5));
                    next = now + Duration::from_millis(1);
                }
                Step::Send(command) => {
                    player.sent.push(command.without_password());
                    let mut lines = VecDeque::new();
                    (player.outgoing)(&mut lines, command.line());
                    if let Some(id) = player.connection {
                        lines.iter().for_each(|line| self.server.line(id, line, now));
                    }
                    next = now + Duration::from_millis(1);
                }
            }
        }
        next
    }

    /// Runs until `done`, at most until the time `limit`. Returns whether it was done.
    pub(crate) fn run(
        &mut self,
        limit: Duration,
        mut done: impl FnMut(&mut World) -> bool,
    ) -> bool {
        while self.now < limit {
            let next = self.settle();
            if done(self) {
                return true;
            }
            self.now = next;
        }
        false
    }
}

pub(crate) const MINUTE: Duration = Duration::from_secs(60);
pub(crate) const HOUR: Duration = Duration::from_secs(3600);

/// The bot and a guest who joins its matches.
pub(crate) fn two(seed: u64, points: u32) -> World {
    let bot = Player::new("bot_nonet", Some("Zanzibar7"), seed, Scripted::creating(points));
    let guest = Player::new("ann", None, seed + 1, Scripted::joining("BOT_nonet"));
    World::new(seed, vec![bot, guest])
}
