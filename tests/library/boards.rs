//! Reports and browser draw the same board: both are compared with `serve/tests/js/boards.json`,
//! the browser's side by `serve/tests/js/drawn.test.js`.

use nonet::backgammon::{Cube, CubeOwner, Dice, Position};
use nonet::report::{BoardDiagram, Chart};
use serde_json::Value;

/// The value of an attribute of an element's text.
fn attribute(element: &str, name: &str) -> f64 {
    let (_, rest) = element.split_once(&format!(" {name}=\"")).expect(name);
    rest.split('"').next().expect("a value").parse().expect("a number")
}

/// Where the elements that begin so lie, in order.
fn places(svg: &str, begins: &str) -> Vec<[f64; 2]> {
    let found = svg.split('<').filter(|element| element.starts_with(begins));
    let mut places: Vec<[f64; 2]> = found
        .map(|element| {
            // A piece in the tray is a rectangle: the browser's test names its corner, too.
            let [x, y] = ["x", "y"].map(|name| attribute(element, name));
            [x, (100.0 * y).round() / 100.0]
        })
        .collect();
    places.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    places
}

/// The centre of a cube of this owner.
fn cube_place(owner: CubeOwner) -> [f64; 2] {
    let value = if owner == CubeOwner::Centred { 1 } else { 2 };
    let cube = Cube::new(value, owner).expect("a cube");
    let svg = BoardDiagram::new(Position::START).cube(cube).render().expect("drawn");
    let face = svg.split('<').find(|element| element.contains("fill=\"#fbf7ee\"")).expect("a face");
    [("x", "width"), ("y", "height")]
        .map(|(start, long)| attribute(face, start) + attribute(face, long) / 2.0)
}

fn known(board: &Value, part: &str) -> Vec<[f64; 2]> {
    let places = board[part].as_array().expect("a list").iter();
    places.map(|at| [0, 1].map(|i| at[i].as_f64().expect("a number"))).collect()
}

#[test]
fn reports_draw_the_board_that_the_browser_draws() {
    let boards: Value =
        serde_json::from_str(include_str!("../../serve/tests/js/boards.json")).expect("JSON");
    for board in boards.as_array().expect("a list") {
        let id = board["id"].as_str().expect("an ID");
        let position = Position::from_id(id).expect("a position");
        let [high, low] = [0, 1].map(|i| board["roll"][i].as_u64().expect("a die"));
        let dice: Dice = format!("{high}{low}").parse().expect("a roll");
        let svg = BoardDiagram::new(position).dice(dice).render().expect("drawn");
        for (part, begins) in [
            ("own", "use href=\"#cx\""),
            ("other", "use href=\"#co\""),
            ("off", "rect class=\"off\""),
        ] {
            assert_eq!(places(&svg, begins), known(board, part), "{part} of {position:?}");
        }
        // From the upper edge: the opponent's cube, the centred one, the own one.
        let owners = [CubeOwner::Opponent, CubeOwner::Centred, CubeOwner::Own];
        assert_eq!(owners.map(cube_place).to_vec(), known(board, "cube"));
    }
}
