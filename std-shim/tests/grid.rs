//! `navarena grid` as a person or a script runs it.

mod common;

use common::{Folder, json, refusal, said};
use std::fs;

/// A wall down the middle with a gap at its lower end, and a cell that is closed in.
const ROWS: [&str; 6] = ["....@...", "....@.@@", "..S.@.@.", "....@.@@", "....W...", "........"];

fn map(folder: &Folder) -> String {
    let file = folder.file("small.map");
    fs::write(&file, format!("type octile\nheight 6\nwidth 8\nmap\n{}\n", ROWS.join("\n"))).unwrap();
    file
}

fn scenario(folder: &Folder, name: &str, lines: &[&str]) -> String {
    let file = folder.file(name);
    let lines: String = lines.iter().map(|line| format!("0\tsmall.map\t8\t6\t{line}\n")).collect();
    fs::write(&file, format!("version 1\n{lines}")).unwrap();
    file
}

/// Algorithms whose paths cost what was published, and those whose paths are shorter.
const EXACT: [&str; 6] = ["astar", "jps", "jps+", "lpa", "dstar", "flow"];
const ANY_ANGLE: [&str; 2] = ["theta", "lazy-theta"];

/// From the definition: around the wall's lower end, whose corners may not be cut. The last two have no way.
const TRUE_LINES: [&str; 5] =
    ["0\t0\t3\t0\t3", "0\t0\t2\t2\t2.82842712", "3\t4\t5\t4\t4", "0\t0\t7\t2\t0", "7\t2\t1\t1\t0"];

#[test]
fn a_scenario_that_is_true_has_no_mismatch_by_any_algorithm() {
    let folder = Folder::new("scen");
    let (map, scen) = (map(&folder), scenario(&folder, "true.scen", &TRUE_LINES));
    for name in EXACT.into_iter().chain(ANY_ANGLE) {
        let line = ["grid", &map, "--scen", &scen, "--alg", name];
        let report = json(&line);
        assert_eq!((&report["instances"], &report["mismatches"]), (&5.into(), &0.into()), "{name}: {report}");
        assert_eq!((&report["unreachable"], &report["algorithm"]), (&2.into(), &name.into()));
        assert!(report["expanded"].as_u64().unwrap() > 0 && report["time_ms"].as_f64().unwrap() >= 0.0);
        let text = said(&line);
        assert!(text.contains("instances") && !text.contains("published"), "{text}");
    }
    // The default is A*.
    assert_eq!(json(&["grid", &map, "--scen", &scen])["algorithm"], "astar");
}

#[test]
fn each_line_that_is_not_true_is_a_mismatch() {
    let folder = Folder::new("wrong-scen");
    let map = map(&folder);
    // Too long, too short, a way where there is none, none where there is one, a wall.
    let lines = ["0\t0\t3\t0\t3.00001", "0\t0\t2\t2\t2.8284", "0\t0\t7\t2\t9", "0\t0\t1\t0\t0", "0\t0\t4\t0\t4"];
    let scen = scenario(&folder, "wrong.scen", &lines);
    for name in EXACT {
        let line = ["grid", &map, "--scen", &scen, "--alg", name];
        assert_eq!(json(&line)["mismatches"], 5, "{name}");
        assert!(said(&line).contains("instance 2, 0,0 to 7,2: no way where one of 9 was published"));
    }
}

#[test]
fn a_hierarchy_says_how_much_longer_its_ways_are_and_none_may_be_shorter() {
    let folder = Folder::new("hierarchy");
    let (map, scen) = (map(&folder), scenario(&folder, "true.scen", &TRUE_LINES));
    let line = ["grid", &map, "--scen", &scen, "--alg", "hpa"];
    let report = json(&line);
    assert_eq!((&report["mismatches"], &report["unreachable"]), (&0.into(), &2.into()));
    // One chunk holds the map: its ways are the cheapest, within what the file's digits tell.
    assert!(report["longer_most_percent"].as_f64().unwrap() < 1e-6, "{report}");
    assert!(said(&line).contains("0.00% on average, 0.00% at most"));
    // Too long, too short by a fifth, a way where there is none, none where there is one, a wall.
    let lines = ["0\t0\t3\t0\t3.00001", "0\t0\t5\t0\t10", "0\t0\t7\t2\t9", "0\t0\t1\t0\t0", "0\t0\t4\t0\t4"];
    let scen = scenario(&folder, "wrong.scen", &lines);
    let report = json(&["grid", &map, "--scen", &scen, "--alg", "hpa"]);
    assert_eq!(report["mismatches"], 4, "{report}");
    assert!(report["longer_most_percent"].as_f64().unwrap() > 10.0, "{report}");
    let answer = json(&["grid", &map, "--from", "3,4", "--to", "5,4", "--alg", "hpa"]);
    assert_eq!(answer["cells"], serde_json::json!([[3, 4], [3, 5], [4, 5], [5, 5], [5, 4]]));
}

#[test]
fn a_path_is_printed_and_drawn() {
    let folder = Folder::new("grid-path");
    let map = map(&folder);
    for name in EXACT {
        let (svg, png) = (folder.file("path.svg"), folder.file("path.png"));
        let way = ["grid", &map, "--from", "3,4", "--to", "5,4", "--alg", name];
        let answer = json(&way);
        assert_eq!((&answer["found"], &answer["cost"]), (&true.into(), &4.0.into()));
        assert_eq!(answer["cells"], serde_json::json!([[3, 4], [3, 5], [4, 5], [5, 5], [5, 4]]));
        assert!(said(&[&way[..], &["-o", &svg]].concat()).contains("found"));
        let text = fs::read_to_string(&svg).unwrap();
        let shades = if name == "flow" { ">settled, first to last<" } else { ">expanded, first to last<" };
        for word in [">small<", ">wall<", ">path<", ">start<", ">goal<", shades] {
            assert!(text.contains(word), "{word}");
        }
        assert_eq!(text.contains(">flow<"), name == "flow");
        said(&[&way[..], &["-o", &png]].concat());
        assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    }
    for name in ANY_ANGLE {
        let answer = json(&["grid", &map, "--from", "0,0", "--to", "2,5", "--alg", name]);
        assert_eq!(answer["cells"], serde_json::json!([[0, 0], [2, 5]]));
    }
    for name in EXACT.into_iter().chain(ANY_ANGLE) {
        let answer = json(&["grid", &map, "--from", "0,0", "--to", "7,2", "--alg", name]);
        assert_eq!((&answer["found"], &answer["cost"]), (&false.into(), &serde_json::Value::Null), "{name}");
        let wall = refusal(&["grid", &map, "--from", "0,0", "--to", "4,0", "--alg", name]);
        assert!(wall.contains("--to: 4,0 is a wall"), "{wall}");
    }
    let out_of_reach = json(&["grid", &map, "--from", "0,0", "--to", "7,2"]);
    assert_eq!((&out_of_reach["found"], &out_of_reach["cost"]), (&false.into(), &serde_json::Value::Null));
    let bare = folder.file("map.svg");
    said(&["grid", &map, "-o", &bare]);
    assert!(!fs::read_to_string(&bare).unwrap().contains("path"));
    // Water is a wall and swamp is not.
    assert_eq!(json(&["grid", &map])["ground"], 38);
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let folder = Folder::new("grid-wrong");
    let map = map(&folder);
    let bad = folder.file("bad.map");
    fs::write(&bad, "type octile\nheight 1\nwidth 2\nmap\n.x\n").unwrap();
    assert!(refusal(&["grid", &bad]).contains("line 5"));
    assert!(refusal(&["grid", "no-such.map"]).starts_with("navarena: no-such.map: "));
    let elsewhere = folder.file("other.scen");
    fs::write(&elsewhere, "version 1\n0 small.map 9 6 0 0 1 0 1\n").unwrap();
    assert!(refusal(&["grid", &map, "--scen", &elsewhere]).contains("a map of 9 by 6 cells, not 8 by 6"));
    assert!(refusal(&["grid", &map, "--from", "4,0", "--to", "0,0"]).contains("--from: 4,0 is a wall"));
    assert!(refusal(&["grid", &map, "--from", "0,0", "--to", "8,0"]).contains("--to: 8,0 is a wall or outside"));
    assert!(refusal(&["grid", &map, "--from", "0,0"]).contains("--to"));
    assert!(refusal(&["grid", &map, "--from", "0.5,0", "--to", "1,1"]).contains("0.5 is no column or row"));
    let picture = folder.file("map.gif");
    assert!(refusal(&["grid", &map, "-o", &picture]).contains("a picture ends in .svg or .png"));
    assert!(refusal(&["grid", &map, "--scen", &elsewhere, "--alg", "dijkstra"]).contains("dijkstra"));
}

#[test]
fn instances_between_trees_are_asked_where_trees_alone_are_open() {
    let folder = Folder::new("trees");
    let map = folder.file("wood.map");
    fs::write(&map, "type octile\nheight 3\nwidth 5\nmap\n..T..\n.T.T.\n.TTT.\n").unwrap();
    let report = |lines: &[&str], name: &str| {
        let file = folder.file("wood.scen");
        let lines: String = lines.iter().map(|line| format!("0\twood.map\t5\t3\t{line}\n")).collect();
        fs::write(&file, format!("version 1\n{lines}")).unwrap();
        json(&["grid", &map, "--scen", &file, "--alg", name])
    };
    for name in EXACT {
        // Along the trees; a way on the ground; a way through the trees that the file has longer.
        let true_lines = ["1\t1\t3\t1\t4", "0\t0\t0\t2\t2", "1\t1\t1\t2\t3"];
        let told = report(&true_lines, name);
        assert_eq!((&told["instances"], &told["mismatches"]), (&3.into(), &0.into()), "{name}: {told}");
        assert_eq!((&told["in_trees"], &told["in_trees_shorter"]), (&2.into(), &1.into()), "{name}: {told}");
        // A way through trees that the file has shorter, one out of the trees, and trees that hang together nowhere.
        let wrong_lines = ["1\t1\t3\t1\t3", "1\t1\t0\t0\t1", "1\t1\t2\t0\t2"];
        assert_eq!(report(&wrong_lines, name)["mismatches"], 3, "{name}");
    }
    let plain = said(&["grid", &map, "--scen", &folder.file("wood.scen")]);
    assert!(plain.contains("from trees to trees"), "{plain}");
}

#[test]
fn a_robots_map_is_read_by_its_yaml_file_and_searched_in_cells_from_the_lowest_row() {
    let folder = Folder::new("robot");
    let yaml = folder.file("room.yaml");
    fs::write(&yaml, "image: room.pgm\nresolution: 0.5\norigin: [-2, 1, 0]\nnegate: 0\n").unwrap();
    // The picture's upper row is closed but for its left end.
    fs::write(folder.file("room.pgm"), b"P5 3 2 255\n\xFE\x00\x00\xFE\xFE\xFE").unwrap();
    let facts = json(&["grid", &yaml]);
    assert_eq!((&facts["ground"], &facts["cell_size"]), (&4.into(), &0.5.into()));
    assert_eq!(facts["origin"], serde_json::json!([-2.0, 1.0]));
    assert!(said(&["grid", &yaml]).contains("cells of 0.5 from -2, 1"));
    let way = json(&["grid", &yaml, "--from", "2,0", "--to", "0,1", "-o", &folder.file("room.svg")]);
    assert_eq!(way["cells"], serde_json::json!([[2, 0], [1, 0], [0, 0], [0, 1]]));
    assert!(refusal(&["grid", &yaml, "--from", "1,1", "--to", "0,0"]).contains("1,1 is a wall"));
    fs::write(&yaml, "image: room.pgm\n").unwrap();
    assert!(refusal(&["grid", &yaml]).contains("room.yaml: resolution"));
}
