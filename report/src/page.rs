//! Self-contained HTML pages of text, tables, commands and charts.

use std::fmt::Write as _;

use super::text::escape;
use super::{Chart, ReportError};

/// Light or dark as the reader's system; charts stay on white, for which their colours were chosen.
pub(super) const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--soft:#606060;--line:#d8d8d8;--back:#fff;--code:#f4f4f4}
@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a0a0a0;--line:#444;--back:#181a1c;--code:#26292c}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 3rem;background:var(--back);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,\"Segoe UI\",\"DejaVu Sans\",sans-serif;overflow-wrap:break-word}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.25rem;margin:2.2rem 0 .6rem}
p{max-width:44rem;margin:0 0 1rem}
.scroll{overflow-x:auto;margin:0 0 1.4rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:0 0 .4rem}
th,td{padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{border-bottom:2px solid var(--line);vertical-align:bottom}
th:last-child,td:last-child{padding-right:0}
.n{text-align:right;white-space:nowrap}
.facts th{font-weight:normal;color:var(--soft);white-space:nowrap}
.facts td{overflow-wrap:anywhere}
.links{padding-left:1.2rem;margin:0 0 1.4rem}
a{color:inherit}
pre{background:var(--code);border-radius:.4rem;padding:.8rem 1rem;margin:0 0 1.4rem;overflow-wrap:anywhere;
white-space:pre-wrap;font:.875rem/1.5 ui-monospace,\"DejaVu Sans Mono\",monospace}
.chart{margin:0 0 1.4rem;background:#fff;border:1px solid var(--line);border-radius:.4rem;overflow-x:auto}
.picture{margin:0 0 1rem;max-width:26rem}
.picture svg{display:block;width:100%;height:auto}
h3{font-size:1rem;margin:1.6rem 0 .6rem}
.chart svg{display:block;width:100%;min-width:34rem;height:auto}
";

/// A table with one row of headers. Columns of numbers are right-aligned.
///
/// ```
/// use nonet_report::{HtmlTable, Page};
///
/// let table = HtmlTable::new(["net", "games"]).caption("The nets").row(["race", "1000"]);
/// assert!(Page::new("Nets").table(&table).render().contains("<td"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HtmlTable {
    caption: String,
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl HtmlTable {
    /// A table without rows.
    #[must_use]
    pub fn new<S: Into<String>>(headers: impl IntoIterator<Item = S>) -> HtmlTable {
        HtmlTable { headers: headers.into_iter().map(Into::into).collect(), ..HtmlTable::default() }
    }

    /// The text above the table: what it shows, in which units.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> HtmlTable {
        self.caption = caption.into();
        self
    }

    /// Adds a row. A row with too few cells ends in empty ones; a longer one adds columns to the
    /// table.
    #[must_use]
    pub fn row<S: Into<String>>(mut self, cells: impl IntoIterator<Item = S>) -> HtmlTable {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }

    fn write(&self, out: &mut String) {
        let columns = self.rows.iter().map(Vec::len).fold(self.headers.len(), usize::max);
        let classes: Vec<&str> =
            (0..columns).map(|c| if self.is_numbers(c) { " class=\"n\"" } else { "" }).collect();
        let line = |cells: &[String], tag: &str, out: &mut String| {
            out.push_str("<tr>");
            for (c, class) in classes.iter().enumerate() {
                let cell = escape(cells.get(c).map_or("", String::as_str));
                _ = write!(out, "<{tag}{class}>{cell}</{tag}>");
            }
            out.push_str("</tr>\n");
        };
        out.push_str("<div class=\"scroll\"><table>\n");
        if !self.caption.is_empty() {
            _ = writeln!(out, "<caption>{}</caption>", escape(&self.caption));
        }
        out.push_str("<thead>\n");
        line(&self.headers, "th", out);
        out.push_str("</thead>\n<tbody>\n");
        self.rows.iter().for_each(|row| line(row, "td", out));
        out.push_str("</tbody>\n</table></div>\n");
    }

    /// Whether a column has numbers only, besides cells without any letter or digit such as "–".
    fn is_numbers(&self, column: usize) -> bool {
        let mut cells =
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.trim()).peekable();
        let has_text = |cell: &str| cell.chars().any(char::is_alphanumeric);
        let number = |cell: &str| {
            cell.trim_start_matches(['+', '-', '\u{2212}', '±', '.', '<', '>', '~', ' '])
                .starts_with(|c: char| c.is_ascii_digit())
                && cell.chars().filter(|c| c.is_alphabetic()).count() <= 1
                // A play, as 13/7.
                && !cell.contains('/')
        };
        cells.clone().any(has_text) && cells.all(|cell| number(cell) || !has_text(cell))
    }
}

/// A self-contained HTML page, built from top to bottom. All text is escaped. The page loads
/// nothing and runs no script.
///
/// ```
/// use nonet_report::Page;
///
/// let page = Page::new("A run").heading("Settings").facts([("seed", "7"), ("threads", "2")]);
/// assert!(page.paragraph("5 < 6").render().contains("5 &lt; 6"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    title: String,
    style: &'static str,
    body: String,
    /// Seconds after which the page loads itself again.
    refresh: Option<u32>,
}

impl Page {
    /// A page with its title and nothing else.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Page {
        Page { title: title.into(), style: "", body: String::new(), refresh: None }
    }

    /// Lets the browser load the page again after this time in seconds, while work goes on.
    #[must_use]
    pub fn refresh(self, seconds: u32) -> Page {
        Page { refresh: Some(seconds), ..self }
    }

    /// The title of a section.
    #[must_use]
    pub fn heading(self, text: impl AsRef<str>) -> Page {
        self.element("h2", text.as_ref())
    }

    /// The title of a part of a section.
    #[must_use]
    pub fn subheading(self, text: impl AsRef<str>) -> Page {
        self.element("h3", text.as_ref())
    }

    /// A paragraph.
    #[must_use]
    pub fn paragraph(self, text: impl AsRef<str>) -> Page {
        self.element("p", text.as_ref())
    }

    /// A command or its output, preformatted.
    #[must_use]
    pub fn command(self, text: impl AsRef<str>) -> Page {
        self.element("pre", text.as_ref())
    }

    /// Names and values, one pair a line: the seed, the settings, the results.
    #[must_use]
    pub fn facts<K: AsRef<str>, V: AsRef<str>>(
        mut self,
        facts: impl IntoIterator<Item = (K, V)>,
    ) -> Page {
        self.body.push_str("<div class=\"scroll\"><table class=\"facts\">\n");
        for (name, value) in facts {
            let (name, value) = (escape(name.as_ref()), escape(value.as_ref()));
            _ = writeln!(self.body, "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>");
        }
        self.body.push_str("</table></div>\n");
        self
    }

    /// As [`Page::facts`], for facts that differ between two runs of the same command. They are
    /// between two comments, so that a comparison can leave them out. Without facts it adds
    /// nothing.
    #[must_use]
    pub fn varying_facts<K: AsRef<str>, V: AsRef<str>>(
        mut self,
        facts: impl IntoIterator<Item = (K, V)>,
    ) -> Page {
        let mut facts = facts.into_iter().peekable();
        if facts.peek().is_none() {
            return self;
        }
        self.body.push_str("<!-- varying -->\n");
        let mut page = self.facts(facts);
        page.body.push_str("<!-- /varying -->\n");
        page
    }

    /// Links to files in the folder of the page: names and contents.
    #[must_use]
    pub fn links<F: AsRef<str>, W: AsRef<str>>(
        mut self,
        links: impl IntoIterator<Item = (F, W)>,
    ) -> Page {
        self.body.push_str("<ul class=\"links\">\n");
        for (file, what) in links {
            let (file, what) = (escape(file.as_ref()), escape(what.as_ref()));
            _ = writeln!(self.body, "<li><a href=\"{file}\">{file}</a>: {what}</li>");
        }
        self.body.push_str("</ul>\n");
        self
    }

    /// A table.
    #[must_use]
    pub fn table(mut self, table: &HtmlTable) -> Page {
        table.write(&mut self.body);
        self
    }

    /// A chart on a white card.
    ///
    /// # Errors
    /// When the chart cannot be drawn.
    pub fn chart(mut self, chart: &impl Chart) -> Result<Page, ReportError> {
        _ = writeln!(self.body, "<figure class=\"chart\">\n{}</figure>", chart.render()?);
        Ok(self)
    }

    /// A small picture.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn picture(mut self, picture: &impl Chart) -> Result<Page, ReportError> {
        _ = writeln!(self.body, "<figure class=\"picture\">\n{}</figure>", picture.render()?);
        Ok(self)
    }

    /// Rules of style beyond those of every page.
    #[must_use]
    pub const fn style(mut self, style: &'static str) -> Page {
        self.style = style;
        self
    }

    /// HTML made by this module's pages, with texts that are escaped already.
    #[must_use]
    pub fn raw(mut self, html: &str) -> Page {
        self.body.push_str(html);
        self
    }

    /// The page as HTML; the same page gives the same bytes.
    #[must_use]
    pub fn render(&self) -> String {
        let (title, style, body) = (escape(&self.title), self.style, &self.body);
        let refresh = self.refresh.map_or_else(String::new, |seconds| {
            format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">\n")
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{refresh}\
             <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
        )
    }

    fn element(mut self, tag: &str, text: &str) -> Page {
        _ = writeln!(self.body, "<{tag}>{}</{tag}>", escape(text));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, BarChart, BarSeries};

    fn page() -> Page {
        let chart = BarChart::new("Bars", "net", ["a"], Axis::new("equity", "ppg"))
            .series(BarSeries::new("ours", [0.5]));
        Page::new("A <run>")
            .heading("R&D")
            .paragraph("\"x\" < y")
            .facts([("seed", "<1>")])
            .table(
                &HtmlTable::new(["net", "ppg"])
                    .caption("<c>")
                    .row(["<a>", "+0.512"])
                    .row(["b", "–"]),
            )
            .command("nonet eval <a>\nnonet eval <b>")
            .chart(&chart)
            .unwrap()
    }

    #[test]
    fn everything_is_escaped() {
        let html = page().render();
        for wrong in ["<run>", "R&D", "\"x\" <", "<1>", "<c>", "<a>", "<b>"] {
            assert!(!html.contains(wrong), "{wrong}");
        }
        assert!(html.contains("<td>&lt;a&gt;</td><td class=\"n\">+0.512</td>"));
        assert_eq!(html, page().render(), "same input, same bytes");
    }

    #[test]
    fn a_page_loads_nothing_and_runs_nothing() {
        let html = page().render().replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for wrong in ["http", "<script", "<link", "src=", "href=", "url(", "@import"] {
            assert!(!html.contains(wrong), "{wrong}");
        }
    }

    #[test]
    fn columns_of_numbers_are_right_aligned() {
        let table = HtmlTable::new(["", "", "", "", ""])
            .row(["3.1 ± 0.2", "12%", "31 on roll", "–", "1.5M"])
            .row(["\u{2212}0.25", "–", "7", "", "200k"]);
        let found: Vec<bool> = (0..5).map(|column| table.is_numbers(column)).collect();
        assert_eq!(found, [true, true, false, false, true]);
    }

    #[test]
    fn no_cell_is_lost_in_a_ragged_table() {
        let html = Page::new("t").table(&HtmlTable::new(["a"]).row(["b", "c"]).row(["d"])).render();
        assert!(html.contains("<tr><th>a</th><th></th></tr>"));
        assert!(html.contains("<tr><td>d</td><td></td></tr>"));
    }
}
