//! Scenario files of any bytes: refused by their line, or read to the end, with every instance within its map.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena::grid::moving_ai::Scenarios;

fuzz_target!(|data: &[u8]| {
    let Ok(scenarios) = Scenarios::open(data) else { return };
    let lines = data.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let mut count = 0;
    for one in scenarios {
        count += 1;
        let is_within = |[x, y]: [u32; 2]| x < one.width && y < one.height;
        assert!(is_within(one.start) && is_within(one.goal) && !one.length.is_nan());
    }
    assert!(count < lines, "one line is the version's");
});
