//! How bad a mistake is.

/// How bad a decision was, by its loss in points on a cube at 1. The words are GNU Backgammon's;
/// version 1.07 draws the limits at 0.03, 0.06 and 0.12 (`show analysis`), so it marks more
/// decisions.
///
/// ```
/// use nonet_engine::analysis::Severity;
///
/// assert_eq!(Severity::of(0.1), Severity::Bad);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No mark.
    Fine,
    /// `?!`
    Doubtful,
    /// `?`
    Bad,
    /// `??`
    VeryBad,
}

impl Severity {
    /// The severity of a loss, as [`Severity::reaches`] compares it with the limits.
    #[must_use]
    pub const fn of(loss: f32) -> Severity {
        match loss {
            loss if Severity::reaches(loss, Severity::VeryBad.limit()) => Severity::VeryBad,
            loss if Severity::reaches(loss, Severity::Bad.limit()) => Severity::Bad,
            loss if Severity::reaches(loss, Severity::Doubtful.limit()) => Severity::Doubtful,
            _ => Severity::Fine,
        }
    }

    /// Whether a loss is above 0 and as large as a limit, both as they are printed: with three
    /// digits.
    ///
    /// ```
    /// use nonet_engine::analysis::Severity;
    ///
    /// assert!(Severity::reaches(0.0396, 0.04) && !Severity::reaches(0.0394, 0.04));
    /// ```
    #[must_use]
    pub const fn reaches(loss: f32, limit: f32) -> bool {
        loss > 0.0 && (1000.0 * loss as f64).round() >= (1000.0 * limit as f64).round()
    }

    /// The smallest loss of this severity, in points on a cube at 1.
    #[must_use]
    pub const fn limit(self) -> f32 {
        match self {
            Severity::Fine => 0.0,
            Severity::Doubtful => 0.04,
            Severity::Bad => 0.08,
            Severity::VeryBad => 0.16,
        }
    }

    /// The symbol in records: `?!`, `?` or `??`; empty for [`Severity::Fine`].
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Severity::Fine => "",
            Severity::Doubtful => "?!",
            Severity::Bad => "?",
            Severity::VeryBad => "??",
        }
    }

    /// Counts a decision: `counts` are the doubtful, bad and very bad ones.
    pub(super) fn count(self, counts: &mut [u32; 3]) {
        match self {
            Severity::Fine => {}
            Severity::Doubtful => counts[0] += 1,
            Severity::Bad => counts[1] += 1,
            Severity::VeryBad => counts[2] += 1,
        }
    }
}
