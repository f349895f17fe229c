//! The style of analysis pages, beyond that of every page.

/// Text colours have a contrast of at least 4.5 to 1 on each background, in light and dark mode.
pub(super) const STYLE: &str = "\
:root{--s1:#6a5d00;--s2:#9a4b00;--s3:#b3150c;--good:#05693c;--card:#fafaf8;--x:#f5ead2;--o:#3a2721;--bar:#7aa7cf;--link:#0b57a4}
@media(prefers-color-scheme:dark){:root{--s1:#dccf62;--s2:#ffb066;--s3:#ff9a8f;--good:#7ed3a5;--card:#202326;--bar:#3f6f9c;--link:#8ec2f5}}
body{max-width:66rem}
a{color:var(--link)}
.lead{font-size:1.15rem;margin:-.5rem 0 1.2rem}
nav{margin:0 0 1.2rem}nav a{display:inline-block;margin:0 .9rem .2rem 0}
.s1{color:var(--s1)}.s2{color:var(--s2)}.s3{color:var(--s3)}.s0{color:var(--soft)}
.s2,.s3{font-weight:600}
.good{color:var(--good)}
.chip{display:inline-block;width:.8em;height:.8em;border-radius:50%;border:1px solid #777;vertical-align:-.06em;margin-right:.35em}
.chip.x{background:var(--x)}.chip.o{background:var(--o)}
.score th[scope=row]{font-weight:normal;color:var(--soft);padding-right:1.5rem}
.score td{padding-right:1.6rem}.score .big{font-size:1.25rem;font-weight:600}
small,.small{font-size:.82rem;font-weight:normal;color:var(--soft)}
ol.worst{padding:0;margin:0 0 1.4rem;list-style:none}
ol.worst li{border-bottom:1px solid var(--line);padding:.35rem 0}
ol.worst a{font-weight:600}
.r{white-space:nowrap}
.plot{margin:0 0 1.2rem}.plot svg{display:block;width:100%;height:auto}
.plot .narrow{display:none}
.plot text{font:13px system-ui,\"DejaVu Sans\",sans-serif;fill:var(--soft)}
.plot a:focus path,.plot a:hover path{stroke:var(--ink);stroke-width:3}
.bar{display:inline-block;height:.7em;background:var(--bar);margin-left:.4em;vertical-align:baseline}
details.d{border:1px solid var(--line);border-radius:.4rem;margin:0 0 .45rem;background:var(--card);scroll-margin-top:.5rem}
details.d>summary{cursor:pointer;line-height:1.4;padding:.4rem .7rem;overflow-wrap:anywhere}
details.d[open]>summary{border-bottom:1px solid var(--line)}
details.d:target{outline:2px solid var(--link)}
summary .no{display:inline-block;min-width:1.9em;color:var(--soft);font-variant-numeric:tabular-nums}
.pair{display:grid;grid-template-columns:minmax(0,22rem) minmax(0,1fr);gap:1rem 1.2rem;padding:.8rem .7rem}
.pair figure{margin:0}.pair svg{display:block;width:100%;height:auto}
.side{display:flex;justify-content:space-between;gap:.6rem;flex-wrap:wrap;font-size:.9rem;padding:.15rem 0}
.side b{font-weight:600}
.plays{font-size:.82rem}.plays th,.plays td{padding:.22rem .42rem .22rem 0}.plays th:last-child,.plays td:last-child{padding-right:0}.plays th{font-weight:600}
.plays td.r{white-space:normal;min-width:6.5rem}
.plays tr.made td:first-child{font-weight:700}
.ids{font:.75rem/1.6 ui-monospace,\"DejaVu Sans Mono\",monospace;overflow-wrap:anywhere;margin:.4rem 0 0}
.ids b{font-weight:normal;color:var(--soft)}
.verdict{margin:0 0 .6rem}
.note{white-space:pre-wrap;border-left:3px solid var(--link);padding-left:.6rem}
.key i{display:inline-block;width:1.8em;border-top:3px solid #067a46;vertical-align:.25em;margin-right:.3em}
.key i.p{border-top:3px dashed #c22f10}
@media(min-width:1000px){.pair{grid-template-columns:minmax(0,26rem) minmax(0,1fr)}}
@media(max-width:780px){.pair{grid-template-columns:minmax(0,1fr)}.pair figure{max-width:28rem}}
@media(max-width:600px){.plot .wide{display:none}.plot .narrow{display:block}
body{padding:1rem .7rem 2rem}.score td{padding-right:.8rem}.score th[scope=row]{padding-right:.7rem;white-space:normal}
.key{display:block}.what small,.what br{display:none}}
@media print{body{max-width:none;padding:0;font-size:10pt}details.d:not([open]){display:none}details.d{break-inside:avoid}nav{display:none}
.pair{grid-template-columns:8cm minmax(0,1fr)}a{color:inherit}.plot{break-inside:avoid}}
";

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::STYLE;
    use crate::page::STYLE as PAGE_STYLE;

    /// Relative luminance (Web Content Accessibility Guidelines 2.1) of `#rgb` or `#rrggbb`, 0..=1.
    fn luminance(color: &str) -> f64 {
        let digits: Vec<u32> = color[1..].chars().filter_map(|digit| digit.to_digit(16)).collect();
        let bytes: Vec<u32> = match digits.len() {
            3 => digits.iter().map(|digit| 17 * digit).collect(),
            6 => digits.chunks(2).map(|pair| 16 * pair[0] + pair[1]).collect(),
            _ => panic!("{color} is no colour"),
        };
        let linear = |byte: u32| match f64::from(byte) / 255.0 {
            low if low <= 0.04045 => low / 12.92,
            high => ((high + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(bytes[0]) + 0.7152 * linear(bytes[1]) + 0.0722 * linear(bytes[2])
    }

    /// The contrast of two colours by the same source, 1..=21.
    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The custom properties of a style in light mode, and in dark mode those that differ.
    fn variables(style: &str) -> [BTreeMap<&str, &str>; 2] {
        // That of dark mode comes second.
        [":root{", "dark){:root{"].map(|start| {
            let begin = style.find(start).map_or(style.len(), |at| at + start.len());
            let block = style[begin..].split('}').next().unwrap_or_default();
            block.split(';').filter_map(|line| line.strip_prefix("--")?.split_once(':')).collect()
        })
    }

    /// The names of the variables that a property has anywhere, `color` or `background`.
    fn used<'a>(property: &str, styles: &[&'a str]) -> Vec<&'a str> {
        let start = format!("{property}:var(--");
        let all = styles.iter().flat_map(|style| {
            style.match_indices(&start).filter_map(|(at, _)| {
                let before = style[..at].chars().next_back();
                let whole = !before.is_some_and(|c| c.is_alphanumeric() || c == '-');
                let name = &style[at + start.len()..];
                whole.then(|| &name[..name.find(')').expect("closed")])
            })
        });
        let mut all: Vec<&str> = all.collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn black_on_white_has_a_contrast_of_21() {
        assert!((contrast("#000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#777", "#fff") - 4.48).abs() < 0.01, "well known to be just too little");
    }

    #[test]
    fn every_text_is_readable_on_every_background_in_light_and_dark_mode() {
        let styles = [PAGE_STYLE, STYLE];
        let both = styles.map(variables);
        let texts: Vec<&str> = [used("color", &styles), used("fill", &styles)].concat();
        // Coins and bars have no text on them.
        let grounds: Vec<&str> = used("background", &styles)
            .into_iter()
            .filter(|n| !["x", "o", "bar"].contains(n))
            .collect();
        for name in ["ink", "soft", "s1", "s2", "s3", "good", "link"] {
            assert!(texts.contains(&name), "{name} is not among {texts:?}");
        }
        assert!(["back", "card", "code"].iter().all(|name| grounds.contains(name)), "{grounds:?}");
        for mode in [0, 1] {
            let color = |name: &str| {
                let of = |mode: usize| both.iter().find_map(|style| style[mode].get(name).copied());
                of(mode).or_else(|| of(0)).unwrap_or_else(|| panic!("--{name} is not defined"))
            };
            for text in &texts {
                for ground in &grounds {
                    let contrast = contrast(color(text), color(ground));
                    assert!(contrast >= 4.5, "--{text} on --{ground}, mode {mode}: {contrast:.2}");
                }
            }
        }
    }
}
