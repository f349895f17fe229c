//! A number with what it counts.

use std::fmt::Display;

/// `count` of `what`, as `1 game` and `2 games`.
pub(crate) fn counted<N: Copy + PartialEq + From<u8> + Display>(count: N, what: &str) -> String {
    let ending = match what {
        _ if count == N::from(1) => "",
        _ if what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular_and_none_is_plural() {
        assert_eq!([0_u64, 1, 2].map(|n| counted(n, "game")), ["0 games", "1 game", "2 games"]);
        assert_eq!(counted(1_usize, "new position"), "1 new position");
        assert_eq!([1_u32, 2].map(|n| counted(n, "match")), ["1 match", "2 matches"]);
    }
}
