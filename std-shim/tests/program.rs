//! The `navarena` program as a person or a script runs it.

mod common;

use common::{Folder, json, navarena, refusal, said};
use navarena::mesh::SnapshotMode;
use std::fs;
use std::path::Path;

const LEVEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/yard-and-balcony.obj");

fn baked(folder: &Folder, name: &str, more: &[&str]) -> String {
    let file = folder.file(name);
    said(&[&["bake", LEVEL, "-o", &file, "--tile-size", "16"], more].concat());
    file
}

#[test]
fn the_demo_finds_the_balcony_and_draws_it() {
    let folder = Folder::new("demo");
    let place = folder.0.to_str().unwrap();
    let text = said(&["demo", "--out-dir", place]);
    assert!(text.contains("the balcony") && text.contains("navarena-demo.png"), "{text}");
    let answer = json(&["demo", "--out-dir", place]);
    assert_eq!(answer["path"]["complete"], true);
    let svg = fs::read_to_string(folder.file("navarena-demo.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains(">goal<"));
    assert!(fs::read(folder.file("navarena-demo.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn any_number_of_threads_writes_the_same_file() {
    let folder = Folder::new("threads");
    let files: Vec<Vec<u8>> = ["1", "2", "8", "0"]
        .iter()
        .map(|threads| fs::read(baked(&folder, threads, &["--threads", threads])).unwrap())
        .collect();
    assert!(files.iter().all(|file| *file == files[0]));
    let digest = json(&["info", &folder.file("1")])["sha256"].clone();
    assert_eq!(json(&["info", &folder.file("8")])["sha256"], digest);
}

#[test]
fn a_path_is_printed_for_people_and_for_scripts() {
    let folder = Folder::new("path");
    let mesh = baked(&folder, "mesh", &[]);
    let way = ["path", &mesh, "--from", "21,0,3.5", "--to", "24.6,4,23.2"];
    let answer = json(&way);
    assert_eq!(answer["complete"], true);
    let points = answer["points"].as_array().unwrap();
    let text = said(&way);
    assert!(text.contains("complete") && text.contains(&format!("point {}", points.len() - 1)), "{text}");
    let crossing = json(&[&way[..], &["--model", "crossing"]].concat());
    assert_eq!(crossing["complete"], true);
    let far = refusal(&["path", &mesh, "--from", "21,0,3.5", "--to", "24.6,40,23.2"]);
    assert_eq!(far, "navarena: path: no polygon within 2, 4, 2 of the goal at 24.600, 40.000, 23.200\n");
}

#[test]
fn settings_are_the_presets_but_for_the_flags() {
    let folder = Folder::new("settings");
    let mesh = folder.file("mesh");
    let flags =
        ["--preset", "small", "--partition", "monotone", "--agent-radius", "0.4", "--detail-sample-distance", "0"];
    let report = json(&[&["bake", LEVEL, "-o", &mesh], &flags[..]].concat());
    let settings = json(&["info", &mesh])["settings"].clone();
    assert_eq!(report["settings"], settings);
    assert_eq!((&settings["partition"], &settings["agent_radius"]), (&"monotone".into(), &0.4.into()));
    assert_eq!((&settings["cell_size"], &settings["tile_size"]), (&0.15.into(), &32.0.into()));
    let solo = json(&["bake", LEVEL, "-o", &mesh, "--solo"]);
    assert_eq!(solo["contents"]["tiles"], 1);
}

#[test]
fn info_counts_what_bake_reported() {
    let folder = Folder::new("info");
    let mesh = folder.file("mesh");
    let report = json(&["bake", LEVEL, "-o", &mesh, "--tile-size", "16"]);
    let info = json(&["info", &mesh]);
    assert_eq!((&info["valid"], &info["contents"]), (&true.into(), &report["contents"]));
    assert_eq!(info["bytes"], fs::metadata(&mesh).unwrap().len());
    let text = said(&["info", &mesh]);
    assert!(text.contains("ONNM") && text.contains("cell size"), "{text}");
}

#[test]
fn info_restores_every_saved_state_and_counts_it() {
    let folder = Folder::new("states");
    let mesh = baked(&folder, "mesh", &[]);
    let loaded = navarena_alloc::NavMesh::load(&fs::read(&mesh).unwrap()).unwrap();
    let core = loaded.core();
    let contents = json(&["info", &mesh])["contents"].clone();
    let written = |name: &str, bytes: &[u8]| {
        let file = folder.file(name);
        fs::write(&file, bytes).unwrap();
        file
    };

    let mut tile = vec![0; core.tile_size(1).unwrap()];
    core.save_tile(1, &mut tile).unwrap();
    let polygons = core.tile(1).unwrap().polygons.len();
    let file = written("tile", &tile);
    assert_eq!(json(&["info", &file])["valid"], false);
    let info = json(&["info", &file, "--of", &mesh]);
    assert_eq!((&info["valid"], &info["contents"]["polygons"]), (&true.into(), &polygons.into()));
    let at = tile.len() - 1;
    tile.truncate(at);
    assert!(refusal(&["info", &written("short", &tile), "--of", &mesh]).starts_with("navarena: "));

    for mode in [SnapshotMode::Full, SnapshotMode::Referenced] {
        let mut bytes = vec![0; core.snapshot_size(mode)];
        core.snapshot(mode, &mut bytes).unwrap();
        let file = written("snapshot", &bytes);
        let info = json(&["info", &file, "--of", &mesh]);
        assert_eq!((&info["valid"], &info["contents"]["coverage"]), (&true.into(), &contents["coverage"]));
        let alone = navarena(&["info", &file, "--json"]).status.success();
        assert_eq!(alone, mode == SnapshotMode::Full);
    }

    let crowd = folder.file("crowd");
    said(&["crowd", &mesh, "--agents", "3", "--seconds", "1", "--save", &crowd]);
    let info = json(&["info", &crowd, "--of", &mesh]);
    assert_eq!((&info["valid"], &info["contents"]["agents"]), (&true.into(), &3.into()));
    assert_eq!(info["contents"]["steps"], 30);
    let text = said(&["info", &crowd, "--of", &mesh]);
    assert!(text.contains("OPCS") && text.contains("state hash"), "{text}");
    let mut bytes = fs::read(&crowd).unwrap();
    bytes[24..32].fill(0); // the number of the next agent, below those that are there
    assert!(refusal(&["info", &written("crowd", &bytes), "--of", &mesh]).starts_with("navarena: "));

    let grid = navarena_alloc::Grid::from_text("..#\n.##\n").unwrap();
    let mut bytes = vec![0; grid.core().state_size()];
    grid.core().save_state(&mut bytes).unwrap();
    let info = json(&["info", &written("grid", &bytes)]);
    assert_eq!(
        (&info["valid"], &info["contents"]["walls"], &info["contents"]["width"]),
        (&true.into(), &3.into(), &3.into())
    );
    bytes[6] = 99;
    assert!(refusal(&["info", &written("grid", &bytes)]).contains("kind"));
}

#[test]
fn pictures_are_drawn_from_every_side() {
    let folder = Folder::new("view");
    let mesh = baked(&folder, "mesh", &[]);
    let svg = folder.file("top.svg");
    said(&["view", &mesh, "-o", &svg, "--from", "21,0,3.5", "--to", "24.6,4,23.2"]);
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.contains(">start<") && text.contains("portal between tiles"));
    let png = folder.file("both.png");
    said(&["view", &mesh, "-o", &png, "--side", "both", "--level", LEVEL]);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let other = folder.file("mesh.gif");
    assert!(refusal(&["view", &mesh, "-o", &other]).contains("a picture ends in .svg or .png"));
    assert!(!Path::new(&other).exists());
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let folder = Folder::new("wrong");
    let out = folder.file("out");
    let level = |text: &str| {
        let file = folder.file("level.obj");
        fs::write(&file, text).unwrap();
        file
    };
    assert!(refusal(&["bake", "no-such-file.obj", "-o", &out]).starts_with("navarena: no-such-file.obj: "));
    let file = level("v 0 0 0\nv 0 0 x\n");
    assert_eq!(refusal(&["bake", &file, "-o", &out]), format!("navarena: {file}: position parse error\n"));
    let file = level("v 0 0 0\n");
    assert!(refusal(&["bake", &file, "-o", &out]).ends_with("no triangles\n"));
    let file = level("v 0 0 0\nv 0 0 1\nv nan 0 1\nf 1 2 3\n");
    assert!(refusal(&["bake", &file, "-o", &out]).contains("vertex 2"));
    assert!(refusal(&["bake", LEVEL, "-o", &out, "--cell-size=-1"]).contains("cell size is -1"));
    assert!(!Path::new(&out).exists());
    assert!(refusal(&["bake", LEVEL]).contains("--output"));
    assert!(refusal(&["path", "mesh", "--from", "1,2", "--to", "1,2,3"]).contains("3 numbers"));
    assert!(refusal(&["fly"]).contains("fly"));

    let mesh = baked(&folder, "mesh", &[]);
    let bytes = fs::read(&mesh).unwrap();
    fs::write(&mesh, &bytes[..bytes.len() - 1]).unwrap();
    for command in
        [&["info", &mesh][..], &["path", &mesh, "--from", "1,0,1", "--to", "2,0,2"], &["view", &mesh, "-o", &out]]
    {
        assert!(refusal(command).starts_with("navarena: "));
    }
    fs::write(&mesh, b"PK\x03\x04").unwrap();
    assert!(refusal(&["info", &mesh]).contains("not a file of navarena"));
}

#[test]
fn every_question_is_answered_in_text_in_json_and_in_a_picture() {
    let folder = Folder::new("query");
    let mesh = baked(&folder, "mesh", &[]);
    let (yard, balcony) = ("21,0,3.5", "24.6,4,23.2");
    let ask = |question: &[&str]| {
        let picture = folder.file("answer.svg");
        let line = [&["query", &mesh], question].concat();
        said(&[&line[..], &["-o", &picture]].concat());
        let svg = fs::read_to_string(&picture).unwrap();
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{question:?}");
        json(&line)
    };
    let number = |value: &serde_json::Value| value.as_f64().unwrap();

    let nearest = ask(&["nearest", "--at", yard]);
    assert!(number(&nearest["distance"]) < 1.0);
    assert!(number(&ask(&["height", "--at", balcony])["height"]) > 3.5);
    let ray = ask(&["ray", "--from", yard, "--to", "-100,0,3.5"]);
    assert!(number(&ray["t"]) < 1.0 && ray["end"].as_str().unwrap().contains("wall"));
    assert!(ask(&["move", "--from", yard, "--to", "21.2,0,3.6"])["end"].as_str().unwrap().contains("reached"));
    let shortest = ask(&["shortest", "--from", yard, "--to", balcony]);
    let path = json(&["path", &mesh, "--from", yard, "--to", balcony]);
    // Shortest seen from above: a ramp may make it the longer one in space.
    let on_the_ground = |answer: &serde_json::Value| {
        let points = answer["points"].as_array().unwrap();
        let step = |pair: &[serde_json::Value]| {
            let [x, z] = [0, 2].map(|axis| number(&pair[0][axis]) - number(&pair[1][axis]));
            navarena::math::sqrt(x * x + z * z)
        };
        points.windows(2).map(step).sum::<f64>()
    };
    assert!(on_the_ground(&shortest) <= on_the_ground(&path) + 1e-9 && shortest["complete"] == true);
    assert_eq!(ask(&["reachable", "--from", yard, "--to", balcony])["reachable"], true);
    let walls = ask(&["walls", "--at", yard, "--radius", "6"]);
    let distances: Vec<f64> = walls["walls"].as_array().unwrap().iter().map(|wall| number(&wall["distance"])).collect();
    assert!(!distances.is_empty() && distances.is_sorted() && distances.iter().all(|&distance| distance <= 6.0));
    assert!(ask(&["circle", "--at", yard, "--radius", "6"])["count"].as_u64().unwrap() > 1);
    assert!(ask(&["neighbourhood", "--at", yard, "--radius", "6"])["count"].as_u64().unwrap() > 1);
    let random = ask(&["random", "--count", "5", "--seed", "9"]);
    assert_eq!(random["points"].as_array().unwrap().len(), 5);
    assert_eq!(random, ask(&["random", "--count", "5", "--seed", "9"]));
    assert_eq!(ask(&["random", "--count", "5", "--at", yard])["points"].as_array().unwrap().len(), 5);

    assert!(refusal(&["query", &mesh, "nearest", "--at", "900,0,900"]).contains("no polygon within"));
    assert!(refusal(&["query", &mesh, "walls", "--at", yard, "--radius", "-1"]).contains("walls"));
}

#[test]
fn a_crowd_walks_to_the_same_hashes_on_any_number_of_threads_and_is_drawn() {
    let folder = Folder::new("crowd");
    let (mesh, picture) = (baked(&folder, "mesh", &[]), folder.file("walk.svg"));
    let walk = ["crowd", &mesh, "--agents", "12", "--seconds", "4", "--every", "2"];
    let alone = json(&[&walk[..], &["-o", &picture]].concat());
    assert_eq!((&alone["agents"], &alone["steps"]), (&12.into(), &120.into()));
    assert_eq!(alone["hashes"].as_array().unwrap().len(), 2);
    assert_eq!(json(&[&walk[..], &["--threads", "3"]].concat())["hashes"], alone["hashes"]);
    let svg = fs::read_to_string(picture).unwrap();
    assert_eq!(svg.matches("<animate ").count(), 24);
    let text = said(&walk);
    let hash = alone["hashes"][1]["hash"].as_str().unwrap();
    assert!(text.contains(hash) && text.contains("deepest overlap"), "{text}");
}

#[test]
fn diff_names_the_first_field_in_which_two_states_part() {
    let folder = Folder::new("diff");
    let mesh = baked(&folder, "mesh", &[]);
    let [early, late, other] = ["early", "late", "other"].map(|name| folder.file(name));
    let save = |file: &str, seconds: &str| {
        said(&["crowd", &mesh, "--agents", "3", "--seconds", seconds, "--save", file]);
    };
    save(&early, "1");
    save(&late, "2");
    assert!(said(&["diff", &early, &early]).starts_with("equal: "));
    let parted = refusal(&["diff", &early, &late]);
    assert!(parted.starts_with("navarena: steps differs, at byte 32: 30 in the first, 60 in the second"), "{parted}");

    // One bit of the second agent's position along z.
    let mut bytes = fs::read(&early).unwrap();
    let text = refusal(&["diff", &early, &late]);
    assert!(!text.is_empty());
    let fields = navarena_std::fields::fields(&bytes).unwrap();
    let field = fields.iter().find(|field| field.name == "agent 1 in slot 1: position z").unwrap();
    bytes[field.at] ^= 1;
    fs::write(&other, &bytes).unwrap();
    let parted = refusal(&["diff", &early, &other]);
    assert!(parted.contains("agent 1 in slot 1: position z differs") && parted.contains("1 fields differ"), "{parted}");

    fs::write(&other, &bytes[..bytes.len() - 3]).unwrap();
    assert!(refusal(&["diff", &early, &other]).contains("broken off"));
    assert!(refusal(&["diff", &early, &mesh]).contains("is a crowd"));
}

#[test]
fn plans_of_every_kind_become_the_same_mesh_and_are_drawn() {
    let folder = Folder::new("plans");
    let write = |name: &str, text: &str| {
        let file = folder.file(name);
        fs::write(&file, text).unwrap();
        file
    };
    let rows = ["........", "..@@@@..", "..@@@@..", "........"].join("\n");
    let map = write("hall.map", &format!("type octile\nheight 4\nwidth 8\nmap\n{rows}\n"));
    let svg = write(
        "hall.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8" height="4"/>
           <rect id="wall" x="2" y="1" width="4" height="2"/></svg>"#,
    );
    let geojson = write(
        "hall.geojson",
        r#"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[
           [[0,0],[8,0],[8,4],[0,4],[0,0]],[[2,1],[2,3],[6,3],[6,1],[2,1]]]}}"#,
    );
    let bake = |plan: &str| {
        let mesh = format!("{plan}.mesh");
        let report = json(&["bake2d", plan, "-o", &mesh, "--agent-radius", "0.25"]);
        (report["sha256"].clone(), mesh)
    };
    let (digest, mesh) = bake(&map);
    assert_eq!([bake(&svg).0, bake(&geojson).0], [digest.clone(), digest]);
    assert!(said(&["bake2d", &map, "-o", &mesh, "--scale", "2", "--solo"]).contains("8 x 4 cells"));
    assert_eq!(json(&["info", &mesh])["valid"], true);
    let way = json(&["path", &mesh, "--from", "2,0,4", "--to", "14,0,4"]);
    assert!(way["complete"] == true && way["points"].as_array().unwrap().len() >= 4, "{way}");
    let picture = folder.file("hall-mesh.svg");
    said(&["view", &mesh, "-o", &picture]);
    assert!(fs::read_to_string(&picture).unwrap().starts_with("<svg"));

    let empty = write("empty.svg", r#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>"#);
    assert!(refusal(&["bake2d", &empty, "-o", &mesh]).contains("no filled outline to walk on"));
    let fine = refusal(&["bake2d", &map, "-o", &mesh, "--snap-bits", "12"]);
    assert!(fine.contains("snap bits is 12, past the bound of 9"), "{fine}");
}
