//! The sessions of a training run: when, where and how fast it was worked on. They are the only
//! facts of a run that differ between two runs of one seed, so they stay out of its checkpoint.

use std::fmt::Write;

/// The time from the start or resumption of a run to its end or stop.
///
/// ```
/// use nonet_report::RunSession;
///
/// let head = RunSession::csv(&[]);
/// let row = "2026-11-22 04:05 UTC,0,5000,100.0,2,a machine,a program";
/// let sessions = RunSession::read(&format!("{head}{row}"));
/// assert_eq!(sessions[0].rate(), 50.0);
/// assert_eq!(RunSession::read(&RunSession::csv(&sessions)), sessions);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RunSession {
    /// When it began, as `2026-11-22 04:05 UTC`.
    pub started: String,
    /// Games learned from before it.
    pub from: u64,
    /// Games learned from at its end.
    pub to: u64,
    /// Its length in seconds, tests included.
    pub seconds: f64,
    /// Threads that it used.
    pub threads: usize,
    /// The machine: processors, operating system, architecture.
    pub machine: String,
    /// The program, its version and commit.
    pub program: String,
}

const HEAD: &str = "started,from_games,to_games,seconds,threads,machine,program";

impl RunSession {
    /// Games learned from a second, tests included.
    #[must_use]
    pub fn rate(&self) -> f64 {
        RunSession::rate_of(std::slice::from_ref(self))
    }

    /// Games learned from a second in all sessions, tests included.
    #[must_use]
    pub fn rate_of(sessions: &[RunSession]) -> f64 {
        let games: u64 =
            sessions.iter().map(|session| session.to.saturating_sub(session.from)).sum();
        let seconds: f64 = sessions.iter().map(|session| session.seconds).sum();
        games as f64 / seconds.max(1e-9)
    }

    /// The sessions as comma-separated values, one a row.
    #[must_use]
    pub fn csv(sessions: &[RunSession]) -> String {
        let mut text = format!("{HEAD}\n");
        for RunSession { started, from, to, seconds, threads, machine, program } in sessions {
            let [started, machine, program] =
                [started, machine, program].map(|word| word.replace([',', '\n'], ";"));
            let _ =
                writeln!(text, "{started},{from},{to},{seconds:.1},{threads},{machine},{program}");
        }
        text
    }

    /// The sessions in such a text; rows of another form are left out.
    #[must_use]
    pub fn read(text: &str) -> Vec<RunSession> {
        let read = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            let [started, from, to, seconds, threads, machine, program] = cells[..] else {
                return None;
            };
            Some(RunSession {
                started: started.to_owned(),
                from: from.parse().ok()?,
                to: to.parse().ok()?,
                seconds: seconds.parse().ok()?,
                threads: threads.parse().ok()?,
                machine: machine.to_owned(),
                program: program.to_owned(),
            })
        };
        text.lines().skip(1).filter_map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_read_back_and_other_rows_left_out() {
        let session = RunSession {
            started: "2026-11-22 04:05 UTC".to_owned(),
            from: 0,
            to: 500,
            seconds: 2.5,
            threads: 2,
            machine: "2 processors; linux x86_64".to_owned(),
            program: "nonet 0.1.0".to_owned(),
        };
        assert_eq!(session.rate(), 200.0);
        let text = RunSession::csv(&[session.clone(), session.clone()]);
        assert_eq!(RunSession::read(&text), [session.clone(), session.clone()]);
        assert_eq!(RunSession::read(&format!("{text}torn,1,")), [session.clone(), session]);
        assert!(RunSession::read("").is_empty());
    }
}
