//! Polygons of a GeoJSON file as outlines. Coordinates are taken as they stand: in a plane, not degrees.

use super::{FloorPlan, Rings};
use geojson::{Feature, GeoJson, Geometry, GeometryValue, Position};

/// Reads a file's polygons; those of features with the property `obstacle` are obstacles.
pub fn parse(text: &str) -> Result<FloorPlan, String> {
    let file: GeoJson = text.parse().map_err(|error: geojson::Error| error.to_string())?;
    let (mut walkable, mut obstacles) = (Vec::new(), Vec::new());
    let mut take = |feature: &Feature| {
        let is_obstacle = feature.property("obstacle").is_some_and(|value| value.as_bool() == Some(true));
        let list = if is_obstacle { &mut obstacles } else { &mut walkable };
        feature.geometry.iter().try_for_each(|geometry| polygons(geometry, list))
    };
    match &file {
        GeoJson::FeatureCollection(collection) => collection.features.iter().try_for_each(&mut take)?,
        GeoJson::Feature(feature) => take(feature)?,
        GeoJson::Geometry(geometry) => polygons(geometry, &mut walkable)?,
    }
    Ok(FloorPlan::Outlines { walkable, obstacles })
}

/// Adds the polygons of a geometry and of those within it; points and lines enclose nothing.
fn polygons(geometry: &Geometry, list: &mut Vec<Rings>) -> Result<(), String> {
    let mut pending = vec![geometry];
    while let Some(geometry) = pending.pop() {
        match &geometry.value {
            GeometryValue::Polygon { coordinates } => list.push(rings(coordinates)?),
            GeometryValue::MultiPolygon { coordinates } => {
                coordinates.iter().try_for_each(|polygon| rings(polygon).map(|rings| list.push(rings)))?;
            }
            GeometryValue::GeometryCollection { geometries } => pending.extend(geometries),
            _ => {}
        }
    }
    Ok(())
}

/// A polygon's rings without the closing position, which repeats the first.
fn rings(polygon: &[Vec<Position>]) -> Result<Rings, String> {
    let at = |position: &Position| match position.as_slice() {
        [x, y, ..] => Ok([*x, *y]),
        _ => Err("a position of fewer than two numbers".to_string()),
    };
    let ring = |positions: &Vec<Position>| {
        let mut ring = positions.iter().map(at).collect::<Result<Vec<_>, _>>()?;
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        Ok(ring)
    };
    polygon.iter().map(ring).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_are_outlines_and_obstacles_are_told_apart() {
        let text = r#"{"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[
                [[0,0],[9,0],[9,9],[0,9],[0,0]],[[3,3],[3,6],[6,6],[3,3]]]}},
            {"type":"Feature","properties":{"obstacle":true},"geometry":{"type":"MultiPolygon","coordinates":[
                [[[7,7],[8,7],[8,8],[7,7]]]]}},
            {"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,1]}}]}"#;
        let Ok(FloorPlan::Outlines { walkable, obstacles }) = parse(text) else { panic!("no plan") };
        assert_eq!(walkable.len(), 1);
        assert_eq!(walkable[0][0], [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]);
        assert_eq!((walkable[0][1].len(), obstacles), (3, vec![vec![vec![[7.0, 7.0], [8.0, 7.0], [8.0, 8.0]]]]));
    }

    #[test]
    fn what_is_no_geojson_is_refused() {
        assert!(parse("{}").is_err() && parse("[1, 2").is_err());
        assert!(parse(r#"{"type":"Polygon","coordinates":[[[0],[1,1],[2,0]]]}"#).is_err());
    }
}
