//! A crowd that moves: a scene seen from above, and over it agents with their trails, as an SVG that a browser animates.

use super::canvas::{Canvas, Color, Pen};
use super::page::{self, View};
use super::scene::Scene;
use super::sheet;
use super::svg::Svg;

/// One agent through the frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walk {
    /// Its radius in world units.
    pub radius: f64,
    /// Where it is in each frame.
    pub places: Vec<[f64; 3]>,
}

/// The agents' colours, in turn.
const COLORS: [Color; 6] = [
    Color::hex(0xD7263D),
    Color::hex(0x1B6CA8),
    Color::hex(0xE07A1F),
    Color::hex(0x6A4C93),
    Color::hex(0x2A7F62),
    Color::hex(0x8C2F39),
];

/// The page as an SVG: the scene, each agent's trail, and circles that go along them in `seconds`, again and again.
pub fn animate(scene: &Scene, walks: &[Walk], seconds: f64) -> String {
    let [width, height] = page::size(scene, View::Top);
    let mut svg = Svg::new(width, height);
    page::draw(scene, View::Top, &mut svg);
    let place = page::place_from_above(scene);
    let at = |point: &[f64; 3]| place.at([point[0], point[2]]);
    for (walk, color) in walks.iter().zip(COLORS.into_iter().cycle()) {
        let trail: Vec<[f64; 2]> = walk.places.iter().map(at).collect();
        svg.line(&trail, Pen::new(color.cover(0.35), 1.4));
    }
    for (walk, color) in walks.iter().zip(COLORS.into_iter().cycle()) {
        let trail: Vec<[f64; 2]> = walk.places.iter().map(at).collect();
        svg.moving_circle(&trail, walk.radius * place.scale(), color, Pen::new(sheet::PAPER, 1.2), seconds);
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_a_circle_that_goes_along_its_trail() {
        let scene = Scene { walls: vec![[[0.0; 3], [8.0, 0.0, 0.0]]], ..Scene::default() };
        let walk = Walk { radius: 0.5, places: vec![[1.0, 0.0, 1.0], [2.0, 0.0, 1.0]] };
        let text = animate(&scene, &[walk.clone(), walk], 2.0);
        assert_eq!((text.matches("<animate ").count(), text.matches("<polyline").count() >= 2), (4, true));
        assert!(text.contains("dur=\"2s\"") && text.ends_with("</svg>\n"));
    }
}
