//! Saved states as lists of named fields, so that two of them can be compared in words (`crowds.md`, "State and snapshots";
//! `navmesh-snapshot.md`, "Format").
//!
//! This reads structure alone: whether a value may be what it is says the library, when it restores the state.

use std::fmt;

/// One field of a saved state.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What it is, and of whom: `agent 12 in slot 3: position z`.
    pub name: String,
    /// What it holds.
    pub value: Value,
    /// Where it stands, in bytes from the beginning.
    pub at: usize,
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A whole number.
    Count(i64),
    /// A double; equal when all its bits are.
    Number(f64),
    /// A reference or an id.
    Reference(u64),
    /// Bytes, by their number and FNV-1a.
    Bytes(usize, u64),
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (*self, *other) {
            (Value::Count(a), Value::Count(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a.to_bits() == b.to_bits(),
            (Value::Reference(a), Value::Reference(b)) => a == b,
            (Value::Bytes(a, x), Value::Bytes(b, y)) => (a, x) == (b, y),
            _ => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Count(count) => write!(f, "{count}"),
            Value::Number(number) => write!(f, "{number:?} (bits {:016x})", number.to_bits()),
            Value::Reference(reference) => write!(f, "{reference:#x}"),
            Value::Bytes(count, hash) => write!(f, "{count} bytes with hash {hash:016x}"),
        }
    }
}

/// What a saved state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A crowd (`OPCS`).
    Crowd,
    /// A crowd behind its mesh (`OPCS`).
    CrowdWithMesh,
    /// A mesh's dynamic state (`ONPS`).
    Snapshot,
    /// Something else: its bytes are compared as they are.
    Other,
}

impl Format {
    /// What bytes are, by how they begin.
    pub fn of(bytes: &[u8]) -> Format {
        match (bytes.get(..4), bytes.get(6..8)) {
            (Some(b"OPCS"), Some([1, 0])) => Format::Crowd,
            (Some(b"OPCS"), Some([2, 0])) => Format::CrowdWithMesh,
            (Some(b"ONPS"), _) => Format::Snapshot,
            _ => Format::Other,
        }
    }

    /// The name in words.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Crowd => "crowd",
            Format::CrowdWithMesh => "crowd with its mesh",
            Format::Snapshot => "mesh snapshot",
            Format::Other => "bytes",
        }
    }
}

/// The fields of a saved state, in the order of its bytes; the byte at which it breaks off when it is too short.
pub fn fields(bytes: &[u8]) -> Result<Vec<Field>, usize> {
    let mut walk = Walk { bytes, at: 0, owner: String::new(), fields: Vec::new() };
    let walked = match Format::of(bytes) {
        Format::Crowd => walk.crowd(),
        Format::CrowdWithMesh => walk.crowd_with_mesh(),
        Format::Snapshot => walk.snapshot(),
        Format::Other => walk.lines(),
    };
    match walked {
        Some(()) if walk.at == bytes.len() => Ok(walk.fields),
        Some(()) => {
            let rest = bytes.len() - walk.at;
            walk.owner.clear();
            walk.blob("bytes after the end", rest).ok_or(walk.at)?;
            Ok(walk.fields)
        }
        None => Err(walk.at),
    }
}

/// Reads fields one after the other; `None` where the bytes end.
struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whose fields these are.
    owner: String,
    fields: Vec<Field>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Walk<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(bytes)
    }

    fn note(&mut self, name: &str, size: usize, value: Value) {
        let name = if self.owner.is_empty() { name.to_string() } else { format!("{}: {name}", self.owner) };
        self.fields.push(Field { name, value, at: self.at - size });
    }

    fn byte(&mut self, name: &str) -> Option<u8> {
        let [value] = self.take::<1>()?;
        self.note(name, 1, Value::Count(value.into()));
        Some(value)
    }

    fn short(&mut self, name: &str) -> Option<()> {
        let value = u16::from_le_bytes(self.take()?);
        self.note(name, 2, Value::Count(value.into()));
        Some(())
    }

    fn int(&mut self, name: &str) -> Option<usize> {
        let value = i32::from_le_bytes(self.take()?);
        self.note(name, 4, Value::Count(value.into()));
        usize::try_from(value).ok()
    }

    fn long(&mut self, name: &str) -> Option<u64> {
        let value = u64::from_le_bytes(self.take()?);
        self.note(name, 8, Value::Count(value as i64));
        Some(value)
    }

    fn reference(&mut self, name: &str) -> Option<()> {
        let value = u64::from_le_bytes(self.take()?);
        self.note(name, 8, Value::Reference(value));
        Some(())
    }

    fn number(&mut self, name: &str) -> Option<()> {
        let value = f64::from_le_bytes(self.take()?);
        self.note(name, 8, Value::Number(value));
        Some(())
    }

    fn numbers(&mut self, names: &[&str]) -> Option<()> {
        names.iter().try_for_each(|name| self.number(name))
    }

    fn ints(&mut self, names: &[&str]) -> Option<()> {
        names.iter().try_for_each(|name| self.int(name).map(|_| ()))
    }

    fn point(&mut self, name: &str) -> Option<()> {
        AXES.iter().try_for_each(|axis| self.number(&format!("{name} {axis}")))
    }

    fn blob(&mut self, name: &str, count: usize) -> Option<()> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        self.note(name, count, Value::Bytes(count, navarena::hash::fnv1a(bytes)));
        Some(())
    }

    /// Magic, version and kind.
    fn header(&mut self) -> Option<()> {
        self.blob("magic", 4)?;
        self.short("format version")?;
        self.short("kind")
    }

    fn crowd(&mut self) -> Option<()> {
        self.header()?;
        self.int("walls that an agent keeps")?;
        let slots = self.int("slots")?;
        self.ints(&["agents", "lowest free slot"])?;
        self.long("number of the next agent")?;
        self.long("steps")?;
        for slot in 0..slots {
            self.owner = format!("slot {slot}");
            if self.byte("whether it holds an agent")? != 0 {
                self.agent(slot)?;
            }
        }
        Some(())
    }

    fn agent(&mut self, slot: usize) -> Option<()> {
        let number = self.long("number of the agent")?;
        self.owner = format!("agent {number} in slot {slot}");
        self.number("priority")?;
        self.byte("flags (1 there, 2 walking, 4 crossing)")?;
        self.numbers(&["preferred velocity x", "preferred velocity z"])?;
        self.numbers(&[
            "radius",
            "maximum speed",
            "maximum acceleration",
            "arrival radius",
            "priority of the settings",
        ])?;
        self.byte("avoidance quality")?;
        self.numbers(&["wall clearance", "separation distance", "separation weight", "side preference"])?;
        if self.byte("whether it has path settings")? != 0 {
            self.path_settings()?;
        }
        if self.byte("whether its walls are valid")? != 0 {
            self.numbers(&["center of its walls x", "center of its walls z"])?;
            for wall in 0..self.int("walls")? {
                for end in ["start", "end"] {
                    self.point(&format!("wall {wall} {end}"))?;
                }
                self.reference(&format!("wall {wall} polygon"))?;
                self.int(&format!("wall {wall} edge"))?;
            }
        }
        self.int("bytes of its follower")?;
        self.follower()
    }

    fn path_settings(&mut self) -> Option<()> {
        let prefix = |name: &str| format!("path settings, {name}");
        for name in ["maximum speed", "maximum acceleration", "slow radius", "minimum arrival speed", "arrival radius"]
        {
            self.number(&prefix(name))?;
        }
        for name in ["most corners", "polygons validated ahead", "optimize interval"] {
            self.int(&prefix(name))?;
        }
        self.number(&prefix("optimize range"))?;
        for name in ["optimize budget", "topology interval", "topology budget", "replan budget", "most replan rounds"] {
            self.int(&prefix(name))?;
        }
        self.number(&prefix("stuck window"))?;
        self.number(&prefix("stuck progress"))?;
        self.int(&prefix("most stuck recoveries"))?;
        self.byte(&prefix("off-mesh mode"))?;
        self.number(&prefix("off-mesh speed"))?;
        self.number(&prefix("off-mesh trigger radius"))?;
        self.point(&prefix("search extents"))?;
        self.int(&prefix("corridor capacity"))?;
        self.int(&prefix("refine budget"))?;
        self.number(&prefix("corner clearance"))
    }

    fn follower(&mut self) -> Option<()> {
        self.byte("follower version")?;
        self.byte("state (0 idle, 1 moving, 2 on a link, 3 arrived, 4 stuck, 5 no path)")?;
        self.byte("whether it reached its target")?;
        self.long("steps of the follower")?;
        self.ints(&["replan rounds", "stuck recoveries"])?;
        self.number("stuck clock")?;
        for name in ["stuck anchor", "position", "velocity", "destination", "link start", "link end"] {
            self.point(name)?;
        }
        self.numbers(&["seconds on the link", "seconds that the link takes"])?;
        self.reference("polygon at the link's end")?;
        self.number("remaining distance")?;
        self.byte("corridor version")?;
        self.byte("corridor flags")?;
        self.int("corridor capacity")?;
        let polygons = self.int("polygons of the corridor")?;
        self.point("corridor position")?;
        self.point("corridor target")?;
        self.reference("corridor target polygon")?;
        (0..polygons).try_for_each(|polygon| self.reference(&format!("corridor polygon {polygon}")))
    }

    fn crowd_with_mesh(&mut self) -> Option<()> {
        self.header()?;
        self.int("bytes of the mesh")?;
        self.snapshot()?;
        self.owner.clear();
        self.int("bytes of the crowd")?;
        self.crowd()
    }

    fn snapshot(&mut self) -> Option<()> {
        self.owner = "mesh".to_string();
        self.blob("magic", 4)?;
        self.short("format version")?;
        self.short("reserved")?;
        self.blob("parameters", navarena::mesh::PARAMS_BYTES)?;
        self.int("sections")?;
        self.short("section kind")?;
        self.short("section flags")?;
        self.int("section bytes")?;
        for slot in 0..self.int("slots")? {
            self.owner = format!("mesh slot {slot}");
            self.int("salt")?;
            match self.byte("what it holds (0 nothing, 1 a tile, 2 a tile's content id)")? {
                0 => continue,
                1 => {
                    let bytes = self.int("bytes of the tile")?;
                    self.blob("tile", bytes)?;
                }
                _ => self.blob("content id", 32)?,
            }
            for edit in 0..self.int("edited polygons")? {
                self.int(&format!("edit {edit} polygon"))?;
                self.byte(&format!("edit {edit} area"))?;
                self.short(&format!("edit {edit} flags"))?;
            }
            for link in 0..self.int("links switched off")? {
                self.int(&format!("link {link} switched off"))?;
            }
        }
        Some(())
    }

    /// Bytes in runs of 16.
    fn lines(&mut self) -> Option<()> {
        while self.at < self.bytes.len() {
            let count = (self.bytes.len() - self.at).min(16);
            self.blob(&format!("bytes {} to {}", self.at, self.at + count - 1), count)?;
        }
        Some(())
    }
}
