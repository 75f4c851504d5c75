//! The page of a grid: its cells, the cells that a search expanded, and the path.
//!
//! Cells that look alike are drawn together: runs along a row, and runs of the same columns in the rows below. So a map
//! of 512 by 512 cells stays a file that a browser opens at once.

use super::canvas::{Anchor, Canvas, Color, Label, Pen};
use super::page::{HEADING, LEGEND, MARGIN, heading, mark, rectangle};
use super::sheet;
use navarena::grid::{Cell, WALL};
use navarena::math::sqrt;

/// A map and what a search made of it.
#[derive(Clone, Debug, Default)]
pub struct MapPage<'a> {
    /// The heading.
    pub title: String,
    /// The line below it.
    pub subtitle: String,
    /// Columns, at least 1.
    pub width: i32,
    /// The areas of all cells, row by row.
    pub areas: &'a [u8],
    /// Whether the first row is drawn lowest instead of highest.
    pub is_upward: bool,
    /// The cells expanded, in order.
    pub expanded: &'a [Cell],
    /// Cells of a field, each with the next one on the way to the goal.
    pub flow: &'a [[Cell; 2]],
    /// The cells of the path.
    pub path: &'a [Cell],
    /// Start and goal, if any were asked for.
    pub ends: Option<[Cell; 2]>,
}

/// The most pixels of a map across and down.
const MOST: [f64; 2] = [1040.0, 1500.0];
/// A page is at least so wide, for its heading and its legend.
const LEAST_WIDTH: f64 = 640.0;
/// Cells are at most so large.
const LARGEST_CELL: f64 = 44.0;
/// How many shades tell early expansions from late ones.
const SHADES: usize = 16;

const GROUND: Color = Color::hex(0xFFFFFF);
const STONE: Color = Color::hex(0x3B4750);
const EARLY: Color = Color::hex(0xF7D774);
const LATE: Color = Color::hex(0x4FA3A5);
const ARROW: Pen = Pen::new(Color(35, 48, 58, 150), 1.0);
/// Arrows stand at least so many pixels apart: of small cells, one in several has one.
const ARROW_SPACING: f64 = 11.0;

/// How a cell looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Area(u8),
    Expanded(u8),
}

impl Look {
    fn color(self) -> Color {
        match self {
            Look::Area(WALL) => STONE,
            Look::Area(area) => sheet::area_color(area).map_or(GROUND, |color| GROUND.mix(color, 0.55)),
            Look::Expanded(shade) => EARLY.mix(LATE, f64::from(shade) / (SHADES - 1) as f64),
        }
    }
}

/// Cells that look alike: columns `left` to `right`, rows `top` to `bottom`, the ends not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Patch {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
    look: Look,
}

impl MapPage<'_> {
    /// The page's size in pixels.
    pub fn size(&self) -> [f64; 2] {
        let [width, height] = self.panel();
        [(width + 2.0 * MARGIN).max(LEAST_WIDTH), HEADING + height + LEGEND]
    }

    /// Draws the page.
    pub fn draw(&self, canvas: &mut dyn Canvas) {
        let [width, height] = self.size();
        rectangle(canvas, [0.0, 0.0, width, height], sheet::PAPER);
        heading(&self.title, &self.subtitle, canvas);
        let [panel_width, panel_height] = self.panel();
        rectangle(canvas, [MARGIN, HEADING, panel_width, panel_height], GROUND);
        let scale = self.scale();
        let looks = self.looks();
        for patch in patches(&looks, self.width.max(1) as usize) {
            let [left, top, right, bottom] = [patch.left, patch.top, patch.right, patch.bottom].map(|at| at as f64);
            let high = if self.is_upward { self.rows() as f64 - bottom } else { top };
            let frame = [MARGIN + left * scale, HEADING + high * scale, (right - left) * scale, (bottom - top) * scale];
            rectangle(canvas, frame, patch.look.color());
        }
        self.arrows(canvas);
        let points: Vec<[f64; 2]> = self.path.iter().map(|&cell| self.center(cell)).collect();
        if !points.is_empty() {
            let width = (scale * 0.4).clamp(2.2, 6.0);
            canvas.line(&points, Pen::new(sheet::PATH_CASING.color, width + 2.2));
            canvas.line(&points, Pen::new(sheet::PATH.color, width));
        }
        if let Some([start, goal]) = self.ends {
            mark(self.center(start), sheet::START, "start", canvas);
            mark(self.center(goal), sheet::GOAL, "goal", canvas);
        }
        self.legend(height - LEGEND * 0.5, canvas);
    }

    fn rows(&self) -> usize {
        self.areas.len() / self.width.max(1) as usize
    }

    /// Pixels a cell: whole ones where there is room, so that neighbours meet without a hair between them.
    fn scale(&self) -> f64 {
        let fitting = (MOST[0] / f64::from(self.width.max(1))).min(MOST[1] / self.rows().max(1) as f64);
        let whole = if fitting >= 1.0 { fitting.floor() } else { fitting };
        whole.min(LARGEST_CELL)
    }

    fn panel(&self) -> [f64; 2] {
        [f64::from(self.width.max(1)) * self.scale(), self.rows() as f64 * self.scale()]
    }

    fn center(&self, cell: Cell) -> [f64; 2] {
        let y = if self.is_upward { self.rows() as i32 - 1 - cell.y } else { cell.y };
        let at = |start: f64, index: i32| start + (f64::from(index) + 0.5) * self.scale();
        [at(MARGIN, cell.x), at(HEADING, y)]
    }

    /// The directions of a field, on a lattice of its cells.
    fn arrows(&self, canvas: &mut dyn Canvas) {
        let spacing = (ARROW_SPACING / self.scale()).ceil().max(1.0);
        let (half, every) = (spacing * self.scale() * 0.34, spacing as i32);
        let is_shown = |cell: Cell| cell.x % every == every / 2 && cell.y % every == every / 2;
        for &[cell, next] in self.flow.iter().filter(|arrow| is_shown(arrow[0])) {
            let (from, to) = (self.center(cell), self.center(next));
            let [x, y] = [to[0] - from[0], to[1] - from[1]];
            let length = sqrt(x * x + y * y).max(1e-9);
            let [x, y] = [x / length * half, y / length * half];
            let (tip, tail) = ([from[0] + x, from[1] + y], [from[0] - x, from[1] - y]);
            canvas.line(&[tail, tip], ARROW);
            // The barbs reach back by half the shaft, a quarter to each side.
            let barb = |side: f64| [tip[0] - 0.8 * x + side * y, tip[1] - 0.8 * y - side * x];
            canvas.line(&[barb(0.5), tip, barb(-0.5)], ARROW);
        }
    }

    fn looks(&self) -> Vec<Look> {
        let mut looks: Vec<Look> = self.areas.iter().map(|&area| Look::Area(area)).collect();
        for (order, cell) in self.expanded.iter().enumerate() {
            let shade = order * SHADES / self.expanded.len();
            let index = i64::from(cell.y) * i64::from(self.width) + i64::from(cell.x);
            if let Some(look) = usize::try_from(index).ok().and_then(|index| looks.get_mut(index)) {
                *look = Look::Expanded(shade as u8);
            }
        }
        looks
    }

    /// What the colours mean; only of what there is.
    fn legend(&self, middle: f64, canvas: &mut dyn Canvas) {
        let mut x = MARGIN;
        let mut entry = |colors: &[Color], name: &str| {
            for &color in colors {
                rectangle(canvas, [x, middle - 6.0, 16.0 / colors.len().min(4) as f64 + 0.4, 12.0], color);
                x += 16.0 / colors.len().min(4) as f64;
            }
            let at = [x + 7.0, middle + 4.5];
            canvas.label(Label { at, size: 12.5, anchor: Anchor::Start, color: sheet::INK, bold: false, text: name });
            x += 7.0 + super::glyphs::width(name, 12.5) + 22.0;
        };
        entry(&[STONE], "wall");
        let mut areas: Vec<u8> = self.areas.iter().copied().filter(|&area| area > 0 && area < WALL).collect();
        areas.sort_unstable();
        areas.dedup();
        for &area in areas.iter().take(5) {
            entry(&[Look::Area(area).color()], &format!("area {area}"));
        }
        if !self.expanded.is_empty() {
            let shades: Vec<Color> = (0..SHADES as u8).map(|shade| Look::Expanded(shade).color()).collect();
            let name = if self.flow.is_empty() { "expanded, first to last" } else { "settled, first to last" };
            entry(&shades, name);
        }
        if !self.flow.is_empty() {
            entry(&[ARROW.color], "flow");
        }
        if !self.path.is_empty() {
            entry(&[sheet::PATH.color], "path");
        }
    }
}

/// The patches of a map but those of plain ground, which the panel shows.
fn patches(looks: &[Look], width: usize) -> Vec<Patch> {
    let mut done = Vec::new();
    let mut open: Vec<Patch> = Vec::new();
    for (y, row) in looks.chunks(width).enumerate() {
        let mut next = Vec::new();
        let mut left = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let (right, look) = (left + run.len(), run[0]);
            if look != Look::Area(0) {
                // Both lists are in the order of their columns.
                let above = open.binary_search_by_key(&left, |patch| patch.left).ok().map(|at| open[at]);
                let top = above.filter(|patch| patch.right == right && patch.look == look).map_or(y, |patch| patch.top);
                next.push(Patch { left, right, top, bottom: y + 1, look });
            }
            left = right;
        }
        let goes_on = |patch: &Patch| {
            let at = next.binary_search_by_key(&patch.left, |later: &Patch| later.left);
            at.is_ok_and(|at| next[at].top == patch.top)
        };
        done.extend(open.into_iter().filter(|patch| !goes_on(patch)));
        open = next;
    }
    done.extend(open);
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Svg;

    fn looks(text: &str) -> (Vec<Look>, usize) {
        let looks = text.bytes().filter(|&b| b != b'\n').map(|b| Look::Area(if b == b'#' { WALL } else { 0 }));
        (looks.collect(), text.find('\n').unwrap())
    }

    #[test]
    fn patches_cover_each_cell_that_is_no_ground_once() {
        for text in ["##.\n##.\n..#\n", "####\n", ".#.\n###\n.#.\n", "#.#\n#.#\n###\n###\n", "...\n"] {
            let (looks, width) = looks(text);
            let mut covered = vec![0; looks.len()];
            for patch in patches(&looks, width) {
                for y in patch.top..patch.bottom {
                    (patch.left..patch.right).for_each(|x| covered[y * width + x] += 1);
                }
            }
            let wanted: Vec<i32> = looks.iter().map(|&look| i32::from(look == Look::Area(WALL))).collect();
            assert_eq!(covered, wanted, "{text}");
        }
        let (looks, width) = looks("##.\n##.\n..#\n");
        assert_eq!(patches(&looks, width).len(), 2);
    }

    #[test]
    fn a_page_names_what_it_shows_and_nothing_else() {
        let areas = [0, 0, WALL, 0, 3, 0];
        let path = [Cell::new(0, 0), Cell::new(0, 1)];
        let page = MapPage { title: "A map".into(), width: 3, areas: &areas, path: &path, ..MapPage::default() };
        let text = |page: &MapPage<'_>| {
            let [width, height] = page.size();
            let mut svg = Svg::new(width, height);
            page.draw(&mut svg);
            svg.finish()
        };
        let plain = text(&page);
        assert!([">A map<", ">wall<", ">area 3<", ">path<"].iter().all(|word| plain.contains(word)));
        assert!(!plain.contains("expanded") && !plain.contains(">start<"));
        let whole = text(&MapPage { expanded: &path, ends: Some(path), ..page });
        assert!([">expanded, first to last<", ">start<", ">goal<"].iter().all(|word| whole.contains(word)));
        assert!(!whole.contains(">flow<"));
        let flow = [[path[0], path[1]]];
        let field = text(&MapPage { expanded: &path, flow: &flow, width: 3, areas: &areas, ..MapPage::default() });
        assert!([">settled, first to last<", ">flow<"].iter().all(|word| field.contains(word)));
    }

    #[test]
    fn arrows_of_small_cells_stand_apart() {
        let areas = vec![0; 400 * 400];
        let cells: Vec<Cell> = (0..400 * 400).map(|at| Cell::new(at % 400, at / 400)).collect();
        let flow: Vec<[Cell; 2]> = cells.iter().map(|&cell| [cell, Cell::new(cell.x + 1, cell.y)]).collect();
        let page = MapPage { width: 400, areas: &areas, flow: &flow, ..MapPage::default() };
        let mut svg = Svg::new(1.0, 1.0);
        page.draw(&mut svg);
        let lines = svg.finish().matches("<poly").count();
        // Two pixels a cell: one cell in six across and down, a shaft and its barbs.
        assert!((2 * 60 * 60..2 * 70 * 70).contains(&lines), "{lines}");
    }

    #[test]
    fn an_upward_map_has_its_first_row_lowest() {
        let areas = [0, WALL, 0, 0, 0, 0];
        let page = MapPage { width: 2, areas: &areas, is_upward: true, ..MapPage::default() };
        let [_, high] = page.center(Cell::new(0, 2));
        assert!(page.center(Cell::new(0, 0))[1] > high);
        let mut svg = Svg::new(1.0, 1.0);
        page.draw(&mut svg);
        let scale = page.scale();
        let wall = format!("<polygon points=\"{},{} ", MARGIN + scale, HEADING + 2.0 * scale);
        assert!(svg.finish().contains(&wall), "{wall}");
    }

    #[test]
    fn a_large_map_fits_and_an_empty_one_is_a_page_too() {
        let areas = vec![0; 4000 * 10];
        let page = MapPage { width: 4000, areas: &areas, ..MapPage::default() };
        assert!(page.size()[0] <= MOST[0] + 2.0 * MARGIN);
        let mut svg = Svg::new(1.0, 1.0);
        MapPage::default().draw(&mut svg);
        assert!(!svg.finish().contains("NaN"));
    }
}
