//! The eight bytes that every saved state of a grid, a graph or a search over one begins with (`grids-state.md`, "Byte
//! format").

use super::{Reader, Sink};
use crate::error::{Error, ErrorKind, Result, Subject};

/// What a saved state is of, with the format's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u16)]
pub enum StateKind {
    /// A square grid.
    Grid = 1,
    /// A hexagonal grid.
    HexGrid = 2,
    /// A voxel grid.
    VoxelGrid = 3,
    /// A graph.
    Graph = 4,
    /// A replanner over a square grid.
    GridReplanner = 5,
    /// A replanner over a hexagonal grid.
    HexReplanner = 6,
    /// A flow field.
    GridFlowField = 7,
    /// A generic A*.
    AStar = 8,
    /// A generic jump point search.
    JumpSearch = 9,
    /// A Theta*.
    ThetaSearch = 10,
    /// An A* over a graph.
    GraphAStar = 11,
    /// The handle of grid searches.
    GridSearch = 12,
}

const MAGIC: [u8; 4] = *b"OPGS";
const VERSION: u16 = 1;

/// Writes the header of a saved state.
pub fn write_state_header(out: &mut impl Sink, kind: StateKind) {
    write_header(out, MAGIC, VERSION, kind as u16);
}

/// Reads the header of a saved state, which must be of this kind.
///
/// # Errors
/// Other bytes than the magic, a version that is not 1, another kind.
pub fn read_state_header(reader: &mut Reader<'_>, kind: StateKind) -> Result<()> {
    read_header(reader, MAGIC, VERSION, kind as u16)
}

/// Writes the eight bytes that a saved state of any format begins with: magic, version, kind.
pub(crate) fn write_header(out: &mut impl Sink, magic: [u8; 4], version: u16, kind: u16) {
    out.bytes(&magic);
    out.u16(version);
    out.u16(kind);
}

/// Reads such bytes, which must be these.
pub(crate) fn read_header(reader: &mut Reader<'_>, magic: [u8; 4], version: u16, kind: u16) -> Result<()> {
    reader.section(Subject::Header);
    if reader.array()? != magic {
        return Err(Error::format(Subject::Magic));
    }
    let found = reader.u16()?;
    if found != version {
        let refusal = Error::new(ErrorKind::Version, Subject::FormatVersion);
        return Err(refusal.value(found.into()).bound(version.into()));
    }
    let found = reader.u16()?;
    if found != kind {
        return Err(Error::format(Subject::StateKind).value(found.into()).bound(kind.into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Writer;

    #[test]
    fn a_header_is_read_back_and_any_other_byte_is_refused() {
        let mut bytes = [0; 8];
        write_state_header(&mut Writer::new(&mut bytes), StateKind::GridReplanner);
        assert_eq!(bytes, [0x4F, 0x50, 0x47, 0x53, 1, 0, 5, 0]);
        let read = |bytes: &[u8]| read_state_header(&mut Reader::new(bytes, Subject::Bytes), StateKind::GridReplanner);
        assert_eq!(read(&bytes), Ok(()));
        let subjects = [Subject::Magic, Subject::FormatVersion, Subject::StateKind];
        for (at, subject) in [0, 3, 4, 5, 6, 7].into_iter().zip([0, 0, 1, 1, 2, 2].map(|n: usize| subjects[n])) {
            let mut other = bytes;
            other[at] ^= 9;
            assert_eq!(read(&other).unwrap_err().subject(), subject);
            assert!(read(&bytes[..at]).is_err());
        }
    }
}
