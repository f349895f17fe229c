//! Tags at the head of a `.mat` file: comments such as `; [Site "nonet"]`.

/// Name and value of a tag, from the text after the semicolon; `None` for another comment.
pub(super) fn tag_of(comment: &str) -> Option<(&str, &str)> {
    let (name, value) = comment.trim().trim_matches(['[', ']']).split_once('"')?;
    Some((name.trim(), value.trim_end().trim_end_matches('"')))
}

/// The tags above the first match of a `.mat` text, in order, as name and value. A text without
/// tags has none.
///
/// ```
/// use backgammon::record::mat_tags;
///
/// let text = "; [Site \"nonet\"]\n; [Seed \"5\"]\n\n 3 point match\n";
/// assert_eq!(mat_tags(text), [("Site", "nonet"), ("Seed", "5")]);
/// ```
#[must_use]
pub fn mat_tags(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let comments = lines.map_while(|line| line.strip_prefix(';'));
    comments.filter_map(tag_of).collect()
}

/// A tag as [`mat_tags`] reads it. Quotation marks and line ends of the value become `'` and
/// blanks.
pub(super) fn line(name: &str, value: &str) -> String {
    let value = value.replace('"', "'").replace(['\n', '\r', '\0'], " ");
    format!("; [{name} \"{value}\"]")
}
