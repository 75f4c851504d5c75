//! Saved crowds of any bytes (`OPCS`): refused with a typed error and the crowd as it was, or restored, saved again as the
//! same bytes, and stepped on a mesh that does not fit them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
use navarena::memory::Arena;
use navarena::mesh::NavMesh;
use navarena::query::{Filter, Query, QueryDef};
use navarena_fuzz::{crowd_bytes, floor, region, with_mesh};

const CROWD: CrowdDef = CrowdDef { agents: 4, corridor: 64, walls: 4, ..CrowdDef::DEFAULT };
const QUERY: QueryDef = QueryDef { nodes: 64, ..CROWD.query() };

fuzz_target!(|data: &[u8]| {
    let bytes = crowd_bytes(data, CROWD.walls);
    with_mesh(|mesh| {
        floor(mesh);
        let (mut crowd_memory, mut query_memory) = (region(CROWD.plan()), region(QUERY.plan()));
        let mut crowd = Crowd::new(&CROWD, &mut Arena::new(&mut crowd_memory)).expect("the plan fits its own region");
        let mut query = Query::new(&QUERY, &mut Arena::new(&mut query_memory)).expect("the plan fits its own region");
        let agent = crowd.add(mesh, [5.0, 0.0, 5.0], &AgentOptions::HUMANOID, &Filter::ALL).expect("a floor");
        let _ = crowd.set_destination(mesh, &mut query, agent, [15.0, 0.0, 15.0], &Filter::ALL);
        let before = saved(&crowd, mesh);
        match crowd.restore_state(mesh, &bytes) {
            Ok(()) => assert!(saved(&crowd, mesh) == bytes, "saved again is the same bytes"),
            Err(_) => assert!(saved(&crowd, mesh) == before, "a refusal leaves the crowd as it was"),
        }
        for _ in 0..3 {
            let _ = crowd.step(mesh, &mut query, &Filter::ALL, 0.1);
        }
        assert!(crowd.agents().all(|agent| agent.position().iter().all(|part| part.is_finite())));
    });
});

fn saved(crowd: &Crowd<'_>, mesh: &NavMesh<'_>) -> Vec<u8> {
    let mut bytes = vec![0; crowd.state_size(mesh)];
    crowd.save_state(mesh, &mut bytes).expect("the size that was asked for");
    bytes
}
