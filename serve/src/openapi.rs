//! The OpenAPI 3.1 document.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi};

use crate::{
    about, analysis::analyses, analysis::decisions, analysis::library, bot_page, play::course,
    play::games, play::matches, play::tutor, play::watched, positions, practice, rollouts, scores,
    training::run_care, training::runs, why, wildbg,
};

/// The API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "nonet",
        description = "Backgammon by nine specialist networks. Answers about positions are those of the commands with --json. Equities are in \
                       points on a cube at 1, chances 0..1, and 1-ply is the static evaluation of every legal result."
    ),
    paths(
        positions::moves,
        positions::evaluate,
        positions::hint,
        positions::hints,
        positions::cube,
        positions::rolls,
        scores::scores,
        why::why,
        why::why_cube,
        positions::inputs,
        positions::nets,
        rollouts::rollout,
        rollouts::strengths,
        games::play,
        watched::play,
        matches::list,
        matches::begin,
        matches::show,
        matches::act,
        matches::hint,
        tutor::judge_action,
        matches::record,
        course::course,
        analyses::list,
        analyses::upload,
        analyses::of_match,
        analyses::show,
        analyses::export,
        analyses::remove,
        analyses::again,
        decisions::note,
        decisions::deeper,
        library::show,
        practice::cards::show,
        practice::cards::answer,
        practice::cards::take_up,
        practice::draws::positions,
        practice::draws::test,
        practice::test_answers::answer,
        runs::list,
        runs::begin,
        runs::show,
        runs::stop,
        runs::resume,
        runs::report,
        runs::net,
        run_care::title,
        run_care::remove,
        bot_page::show,
        about::show,
        wildbg::evaluation,
        wildbg::best_moves,
    ),
    modifiers(&Refusals)
)]
struct Document;

/// What the server answers to any operation of a kind, said once.
struct Refusals;

/// To which operations an answer belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    Anything,
    /// With a body of JSON.
    Body,
    /// With a body that names a net.
    Net,
    /// About one match.
    Match,
    /// About one run.
    Run,
}

/// Status, name, meaning, and to which operations it belongs.
const REFUSALS: [(&str, &str, &str, Asks); 13] = [
    ("400", "BadRun", "An invalid name of a run", Asks::Run),
    ("400", "BadBody", "The body is not JSON", Asks::Body),
    ("404", "UnknownNet", "There is no such net", Asks::Net),
    ("409", "BadRecord", "The record of the match cannot be continued", Asks::Match),
    ("413", "TooLong", "The body is too long", Asks::Body),
    ("415", "NotJson", "The body is not of the type application/json", Asks::Body),
    ("422", "WrongBody", "The body is JSON that does not fit its schema", Asks::Body),
    ("401", "NoToken", "The server wants a token", Asks::Anything),
    ("403", "OtherSite", "Another site asks through a browser", Asks::Anything),
    ("421", "OtherHost", "The request names a host that is not this server", Asks::Anything),
    ("500", "Failed", "Something on the server's machine has failed", Asks::Anything),
    ("503", "Busy", "All places are taken: try again in a few seconds", Asks::Anything),
    ("504", "Late", "The answer took too long: ask for less", Asks::Anything),
];

impl Modify for Refusals {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        for (_, name, meaning, _) in REFUSALS {
            let schema = Ref::from_schema_name("ErrorAnswer");
            let content = ContentBuilder::new().schema(Some(schema)).build();
            let response =
                ResponseBuilder::new().description(meaning).content("application/json", content);
            components.responses.insert(name.to_owned(), RefOr::T(response.build()));
        }
        // Those of answers are among them, too, but no body refers to these.
        let names_net = components.schemas.iter().filter(|(_, schema)| {
            serde_json::to_value(schema).is_ok_and(|schema| schema["properties"]["net"].is_object())
        });
        let name_nets: Vec<String> =
            names_net.map(|(name, _)| format!("\"#/components/schemas/{name}\"")).collect();
        for (path, item) in &mut document.paths.paths {
            let operations = [&mut item.get, &mut item.post, &mut item.delete];
            for operation in operations.into_iter().flatten() {
                let json = operation.request_body.as_ref();
                let json = json.and_then(|body| body.content.get("application/json"));
                let bodies = json.is_some();
                let named = serde_json::to_string(&json).unwrap_or_default();
                let nets = name_nets.iter().any(|reference| named.contains(reference.as_str()));
                for (status, name, _, asks) in REFUSALS {
                    let applies = match asks {
                        Asks::Anything => path.starts_with("/api/"),
                        Asks::Body => bodies,
                        Asks::Net => nets,
                        Asks::Match => path.contains("/matches/{id}"),
                        Asks::Run => path.contains("/runs/{name}"),
                    };
                    if applies {
                        let answer = || RefOr::Ref(Ref::from_response_name(name));
                        operation
                            .responses
                            .responses
                            .entry(status.to_owned())
                            .or_insert_with(answer);
                    }
                }
            }
        }
    }
}

/// The OpenAPI 3.1 document of the API.
///
/// # Panics
/// Never: the document has string keys alone.
#[must_use]
#[allow(clippy::expect_used, reason = "the document has string keys alone")]
pub fn openapi_json() -> String {
    Document::openapi().to_pretty_json().expect("the document has string keys alone")
}

/// The OpenAPI 3.1 document, which is written once.
pub(super) async fn document() -> impl IntoResponse {
    static TEXT: LazyLock<String> = LazyLock::new(openapi_json);
    ([(header::CONTENT_TYPE, "application/json")], TEXT.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_of_operations_has_a_name_on_the_page() {
        let document: serde_json::Value = serde_json::from_str(&openapi_json()).expect("JSON");
        let words = include_str!("assets/words/en/api.js");
        let order = include_str!("assets/api/api.js");
        let paths = document["paths"].as_object().expect("paths").values();
        for operation in paths.flat_map(|path| path.as_object().expect("methods").values()) {
            let group = operation["tags"][0].as_str().expect("a group");
            assert!(words.contains(&format!("\"api.group.{group}\"")), "{group}");
            assert!(order.contains(&format!("\"{group}\"")), "{group}");
        }
    }

    #[test]
    fn only_requests_that_name_a_net_can_name_one_that_is_not_there() {
        let document: serde_json::Value = serde_json::from_str(&openapi_json()).expect("JSON");
        let says = |path: &str| {
            let answers = &document["paths"][format!("/api/v1/{path}")]["post"]["responses"];
            assert!(answers.is_object(), "{path}");
            answers["404"]["$ref"] == "#/components/responses/UnknownNet"
        };
        for path in ["hint", "rollout", "why/cube", "matches"] {
            assert!(says(path), "{path}");
        }
        for path in ["moves", "watched-match", "practice/positions", "practice/tests", "runs"] {
            assert!(!says(path), "{path}");
        }
    }

    #[test]
    fn the_names_of_runs_are_described_once() {
        let text = openapi_json();
        assert_eq!(text.matches("\"pattern\"").count(), 1);
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let schemas = &document["components"]["schemas"];
        assert!(schemas["RunName"]["pattern"].is_string());
        let name = "#/components/schemas/RunName";
        assert_eq!(schemas["RunRequest"]["properties"]["name"]["$ref"], name);
        let parameter = &document["paths"]["/api/v1/runs/{name}"]["get"]["parameters"][0];
        assert_eq!(parameter["schema"]["$ref"], name);
    }
}
