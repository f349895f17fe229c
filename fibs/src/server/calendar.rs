//! Unix seconds as dates in UTC, in the forms of FIBS.

const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A date and a time of day.
struct Moment {
    year: u64,
    month: &'static str,
    day: u64,
    weekday: &'static str,
    clock: String,
}

fn moment(seconds: u64) -> Moment {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    // Full cycles of 400 years, so that no number takes long.
    let (mut year, mut day) = (1970 + 400 * (days / 146_097), days % 146_097);
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    Moment {
        year,
        month: MONTHS[month],
        day: day + 1,
        // 1 January 1970 was a Thursday.
        weekday: DAYS[((days + 4) % 7) as usize],
        clock: format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60),
    }
}

/// As in `Tue Jul 27 21:41:02 2010`.
pub(super) fn short_date(seconds: u64) -> String {
    let Moment { year, month, day, weekday, clock } = moment(seconds);
    format!("{} {} {day:>2} {clock} {year}", &weekday[..3], &month[..3])
}

/// As in `Tuesday, July 27 21:41:02 UTC`.
pub(super) fn long_date(seconds: u64) -> String {
    let Moment { month, day, weekday, clock, .. } = moment(seconds);
    format!("{weekday}, {month} {day:02} {clock} UTC")
}

/// Hours and minutes, as in `2:12`.
pub(super) fn hours(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 3600, seconds / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_command_date() {
        // `date -u -d @N`, and a line of `time` that FIBS sent in 2010.
        for (seconds, short) in [
            (0, "Thu Jan  1 00:00:00 1970"),
            (951_782_400, "Tue Feb 29 00:00:00 2000"),
            (1_280_266_862, "Tue Jul 27 21:41:02 2010"),
            (4_107_542_399, "Sun Feb 28 23:59:59 2100"),
            (4_107_542_400, "Mon Mar  1 00:00:00 2100"),
        ] {
            assert_eq!(short_date(seconds), short);
        }
        assert_eq!(long_date(1_280_266_862), "Tuesday, July 27 21:41:02 UTC");
        assert_eq!(hours(7_939), "2:12");
        assert!(short_date(u64::MAX).len() > 20);
    }
}
