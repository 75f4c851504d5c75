//! A mesh with the settings it was built with (`ONNM`; `navmesh-format.md`, "Tier-1 envelopes").

use super::format::{self, as_format};
use super::nav_mesh::NavMesh;
use super::save::SavedMesh;
use super::settings::{NavSettings, OffMeshLinkDef, Partition};
use crate::bytes::{Reader, Sink, Writer};
use crate::error::{Error, Result, Subject};

const ENVELOPE_MAGIC: [u8; 4] = *b"ONNM";
const ENVELOPE_VERSION: u16 = 1;
/// Bytes of one link.
const LINK_BYTES: usize = 64;

/// A saved mesh and its settings, opened and found to belong together.
///
/// ```
/// use navarena::mesh::{MeshDef, NavFile, NavMesh, NavSettings};
/// # use navarena::memory::{Arena, Grain};
/// # let mut region = vec![Grain::ZERO; MeshDef::HUMANOID.plan().grains()];
/// let mut mesh = NavMesh::new(&MeshDef::HUMANOID, &mut Arena::new(&mut region))?;
/// let mut bytes = [0; 300];
/// let size = NavFile::save(&mesh, &NavSettings::HUMANOID, &[], &mut bytes)?;
/// let file = NavFile::open(&bytes[..size])?;
/// assert_eq!(file.settings(), &NavSettings::HUMANOID);
/// mesh.restore(file.mesh_bytes())?;
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NavFile<'a> {
    settings: NavSettings,
    links: &'a [[u8; LINK_BYTES]],
    mesh_bytes: &'a [u8],
    mesh: SavedMesh<'a>,
}

impl<'a> NavFile<'a> {
    /// Opens an envelope.
    ///
    /// # Errors
    /// Version and format errors; a setting or link out of its range is named; settings that do not produce the mesh's
    /// parameter block are a format error naming the fingerprint. The tiles are checked when the mesh is restored.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        format::check_opening(bytes, ENVELOPE_MAGIC, ENVELOPE_VERSION)?;
        let mut reader = Reader::new(bytes, Subject::Settings);
        reader.bytes(8)?;
        let settings = read_settings(&mut reader)?;
        let links = read_links(&mut reader)?;
        reader.section(Subject::Mesh);
        let length = reader.u32()?;
        let mesh_bytes = reader.bytes(length as usize)?;
        reader.finish()?;
        let mesh = SavedMesh::open(mesh_bytes)?;
        let file = NavFile { settings, links, mesh_bytes, mesh };
        let params = settings.params_of(links.len(), file.links());
        if params.to_bytes() != mesh.params().to_bytes() {
            return Err(Error::format(Subject::Fingerprint));
        }
        Ok(file)
    }

    /// Opens a mesh for settings that the caller has: an envelope, whose own settings must agree, or bare mesh bytes.
    ///
    /// # Errors
    /// Those of [`open`](NavFile::open); settings or links out of their range; settings that do not produce the mesh's
    /// parameter block are a format error naming the fingerprint.
    pub fn open_mesh(bytes: &'a [u8], settings: &NavSettings, links: &[OffMeshLinkDef]) -> Result<SavedMesh<'a>> {
        settings.validate()?;
        links.iter().enumerate().try_for_each(|(i, link)| link.validate(i))?;
        let mesh =
            if bytes.starts_with(&ENVELOPE_MAGIC) { NavFile::open(bytes)?.mesh } else { SavedMesh::open(bytes)? };
        if settings.to_params(links).to_bytes() != mesh.params().to_bytes() {
            return Err(Error::format(Subject::Fingerprint));
        }
        Ok(mesh)
    }

    /// The settings.
    pub fn settings(&self) -> &NavSettings {
        &self.settings
    }

    /// The authored links, in the order of their definitions.
    pub fn links(&self) -> impl ExactSizeIterator<Item = OffMeshLinkDef> + Clone + use<'a> {
        self.links.iter().map(read_link)
    }

    /// The mesh, opened.
    pub fn mesh(&self) -> &SavedMesh<'a> {
        &self.mesh
    }

    /// The mesh's bytes, for [`NavMesh::restore`].
    pub fn mesh_bytes(&self) -> &'a [u8] {
        self.mesh_bytes
    }

    /// How many bytes [`save`](NavFile::save) writes.
    pub fn save_size(mesh: &NavMesh<'_>, links: &[OffMeshLinkDef]) -> usize {
        let mut counter = Writer::counting();
        write(mesh, &NavSettings::HUMANOID, links, &mut counter);
        counter.position()
    }

    /// Writes a mesh with the settings and links it was built with, and returns how many bytes that took.
    ///
    /// # Errors
    /// Settings or links out of their range; a format error naming the fingerprint for settings that are not the mesh's;
    /// a capacity error with the bytes that are needed.
    pub fn save(mesh: &NavMesh<'_>, settings: &NavSettings, links: &[OffMeshLinkDef], out: &mut [u8]) -> Result<usize> {
        settings.validate()?;
        links.iter().enumerate().try_for_each(|(i, link)| link.validate(i))?;
        if settings.to_params(links).to_bytes() != mesh.params().to_bytes() {
            return Err(Error::format(Subject::Fingerprint));
        }
        if u32::try_from(mesh.save_size()).is_err() {
            return Err(Error::limit(Subject::Bytes).value(mesh.save_size() as f64).bound(u32::MAX.into()));
        }
        let mut writer = Writer::new(out);
        write(mesh, settings, links, &mut writer);
        writer.finish(Subject::Bytes)
    }
}

fn write(mesh: &NavMesh<'_>, settings: &NavSettings, links: &[OffMeshLinkDef], out: &mut impl Sink) {
    format::write_opening(ENVELOPE_MAGIC, ENVELOPE_VERSION, out);
    write_settings(settings, out);
    out.u32(links.len() as u32);
    links.iter().for_each(|link| write_link(link, out));
    out.u32(mesh.save_size() as u32);
    mesh.write_to(out);
}

fn write_settings(settings: &NavSettings, out: &mut impl Sink) {
    out.f64(settings.agent_radius);
    out.f64(settings.agent_height);
    out.f64(settings.walkable_climb);
    out.f64(settings.max_slope_degrees);
    out.f64(settings.cell_size);
    out.f64(settings.tile_size);
    out.f64(settings.cell_height);
    out.f64(settings.origin_x);
    out.f64(settings.origin_z);
    out.u32(settings.max_verts_per_poly);
    out.f64(settings.floor_y);
    out.u8(settings.area);
    out.u16(settings.flags);
    out.u8(settings.snap_bits.is_some().into());
    out.i32(settings.snap_bits.unwrap_or(0));
    out.i32(settings.partition as i32);
    out.u32(settings.min_region_area);
    out.u32(settings.merge_region_area);
    out.f64(settings.contour_max_error);
    out.f64(settings.max_edge_length);
    out.f64(settings.detail_sample_distance);
    out.f64(settings.detail_max_error);
}

/// Signed fields below 0 read as large numbers and are past their ranges all the same.
fn read_settings(reader: &mut Reader<'_>) -> Result<NavSettings> {
    let settings = NavSettings {
        agent_radius: reader.f64()?,
        agent_height: reader.f64()?,
        walkable_climb: reader.f64()?,
        max_slope_degrees: reader.f64()?,
        cell_size: reader.f64()?,
        tile_size: reader.f64()?,
        cell_height: reader.f64()?,
        origin_x: reader.f64()?,
        origin_z: reader.f64()?,
        max_verts_per_poly: reader.u32()?,
        floor_y: reader.f64()?,
        area: reader.u8()?,
        flags: reader.u16()?,
        snap_bits: read_snap_bits(reader)?,
        partition: read_partition(reader.i32()?)?,
        min_region_area: reader.u32()?,
        merge_region_area: reader.u32()?,
        contour_max_error: reader.f64()?,
        max_edge_length: reader.f64()?,
        detail_sample_distance: reader.f64()?,
        detail_max_error: reader.f64()?,
    };
    settings.validate().map_err(as_format)?;
    Ok(settings)
}

fn read_snap_bits(reader: &mut Reader<'_>) -> Result<Option<i32>> {
    let (present, bits) = (reader.u8()?, reader.i32()?);
    match (present, bits) {
        (0, 0) => Ok(None),
        (1, _) => Ok(Some(bits)),
        _ => Err(Error::format(Subject::SnapBits).value(bits.into())),
    }
}

fn read_partition(number: i32) -> Result<Partition> {
    let known = [Partition::Watershed, Partition::Monotone, Partition::Layers];
    let found = known.into_iter().find(|&partition| partition as i32 == number);
    found.ok_or(Error::format(Subject::Partition).value(number.into()))
}

fn read_links<'a>(reader: &mut Reader<'a>) -> Result<&'a [[u8; LINK_BYTES]]> {
    let count = reader.count(LINK_BYTES, Subject::OffMeshLinks)?;
    let (links, _) = reader.bytes(count * LINK_BYTES)?.as_chunks::<LINK_BYTES>();
    for (i, record) in links.iter().enumerate() {
        if record[56] > 1 {
            return Err(Error::format(Subject::OffMeshLink).at(i).part(8).value(record[56].into()).bound(1.0));
        }
        read_link(record).validate(i).map_err(as_format)?;
    }
    Ok(links)
}

fn write_link(link: &OffMeshLinkDef, out: &mut impl Sink) {
    link.start.into_iter().chain(link.end).chain([link.radius]).for_each(|v| out.f64(v));
    out.u8(link.bidirectional.into());
    out.u8(link.area);
    out.u16(link.flags);
    out.u32(link.user_id);
}

fn read_link(record: &[u8; LINK_BYTES]) -> OffMeshLinkDef {
    let double = |i: usize| f64::from_le_bytes(format::part(record, 8 * i));
    OffMeshLinkDef {
        start: [double(0), double(1), double(2)],
        end: [double(3), double(4), double(5)],
        radius: double(6),
        bidirectional: record[56] != 0,
        area: record[57],
        flags: u16::from_le_bytes(format::part(record, 58)),
        user_id: u32::from_le_bytes(format::part(record, 60)),
    }
}
