//! All files that the server gives to browsers: pages by their addresses, and their parts.

/// A file of the folder `assets`.
#[derive(Clone, Copy)]
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) bytes: &'static [u8],
}

/// Names a file and embeds it.
macro_rules! asset {
    ($name:literal) => {
        Asset { name: $name, bytes: include_bytes!(concat!("../assets/", $name)) }
    };
}

/// The pages by their addresses.
pub(crate) const PAGES: &[(&str, Asset)] = &[
    ("/", asset!("pages/play.html")),
    ("/analyse", asset!("pages/analyse.html")),
    ("/practise", asset!("pages/practise.html")),
    ("/position", asset!("pages/position.html")),
    ("/train", asset!("pages/train.html")),
    ("/bot", asset!("pages/bot.html")),
    ("/api", asset!("pages/api.html")),
    // All components, for people who change them.
    #[cfg(debug_assertions)]
    ("/components", asset!("pages/components.html")),
];

/// What the heads of all pages begin with.
pub(crate) const HEAD: Asset = asset!("pages/head.html");

/// The page of addresses that lead nowhere.
pub(crate) const MISSING: Asset = asset!("pages/not-found.html");

/// The shell of the pages of the documentation.
pub(crate) const BOOK: Asset = asset!("pages/book.html");

/// Their parts.
pub(crate) static PARTS: &[Asset] = &[
    asset!("analyse/analyse.js"),
    asset!("analyse/board-view.js"),
    asset!("analyse/compare.js"),
    asset!("analyse/course.js"),
    asset!("analyse/decision-view.js"),
    asset!("analyse/decisions.js"),
    asset!("analyse/library.js"),
    asset!("analyse/list-view.js"),
    asset!("analyse/match-view.js"),
    asset!("analyse/panel.js"),
    asset!("analyse/practise-buttons.js"),
    asset!("analyse/rollout-view.js"),
    asset!("analyse/verdicts.js"),
    asset!("analyse/why-view.js"),
    asset!("analyse/sample.js"),
    asset!("analyse/scores-view.js"),
    asset!("analyse/summary.js"),
    asset!("api/api.js"),
    asset!("api/operation.js"),
    asset!("api/schema.js"),
    asset!("board/board.js"),
    asset!("board/draw.js"),
    asset!("board/geometry.js"),
    asset!("board/input.js"),
    asset!("board/look.js"),
    asset!("board/motion.js"),
    asset!("board/notation.js"),
    asset!("board/position.js"),
    asset!("board/roll.js"),
    asset!("board/sound.js"),
    asset!("board/spoken.js"),
    asset!("book/book.js"),
    asset!("bot/bot.js"),
    asset!("common/api.js"),
    asset!("common/chart.js"),
    asset!("common/cube-words.js"),
    asset!("common/dom.js"),
    asset!("common/format.js"),
    asset!("common/header.js"),
    asset!("common/host.js"),
    asset!("common/net-name.js"),
    asset!("common/not-found.js"),
    asset!("common/scale.js"),
    asset!("common/settings-dialog.js"),
    asset!("common/settings.js"),
    asset!("common/tables.js"),
    asset!("common/terms.js"),
    asset!("common/theme.js"),
    asset!("common/token.js"),
    asset!("common/words.js"),
    asset!("components/components.js"),
    asset!("icons/icon-180.png"),
    asset!("icons/icon-192.png"),
    asset!("icons/icon-512.png"),
    asset!("icons/icon-maskable.png"),
    asset!("icons/icon.svg"),
    asset!("manifest.webmanifest"),
    asset!("play/actions.js"),
    asset!("play/clock.js"),
    asset!("play/course.js"),
    asset!("play/game.js"),
    asset!("play/hint.js"),
    asset!("play/log.js"),
    asset!("play/own.js"),
    asset!("play/picking.js"),
    asset!("play/play.js"),
    asset!("play/resignation.js"),
    asset!("play/result.js"),
    asset!("play/review.js"),
    asset!("play/seats.js"),
    asset!("play/setup.js"),
    asset!("play/telling.js"),
    asset!("play/tools.js"),
    asset!("play/tutor.js"),
    asset!("play/watch.js"),
    asset!("position/answers.js"),
    asset!("position/position.js"),
    asset!("position/xgid.js"),
    asset!("practise/practise.js"),
    asset!("practise/verdict.js"),
    asset!("style/analyse.css"),
    asset!("style/api.css"),
    asset!("style/base.css"),
    asset!("style/board.css"),
    asset!("style/bot.css"),
    asset!("style/book.css"),
    asset!("style/chart.css"),
    asset!("style/parts.css"),
    asset!("style/play.css"),
    asset!("style/position.css"),
    asset!("style/practise.css"),
    asset!("style/tokens.css"),
    asset!("style/train.css"),
    asset!("train/architecture.js"),
    asset!("train/charts.js"),
    asset!("train/experiments.js"),
    asset!("train/openings.js"),
    asset!("train/state.js"),
    asset!("train/train.js"),
    asset!("train/watch.js"),
    asset!("words/de.js"),
    asset!("words/de/analyse.js"),
    asset!("words/de/api.js"),
    asset!("words/de/bot.js"),
    asset!("words/de/common.js"),
    asset!("words/de/play.js"),
    asset!("words/de/position.js"),
    asset!("words/de/practise.js"),
    asset!("words/de/scores.js"),
    asset!("words/de/train.js"),
    asset!("words/de/why.js"),
    asset!("words/en.js"),
    asset!("words/en/analyse.js"),
    asset!("words/en/api.js"),
    asset!("words/en/bot.js"),
    asset!("words/en/common.js"),
    asset!("words/en/play.js"),
    asset!("words/en/position.js"),
    asset!("words/en/practise.js"),
    asset!("words/en/scores.js"),
    asset!("words/en/train.js"),
    asset!("words/en/why.js"),
];
