//! Little-endian bytes: a reader that trusts nothing, and a writer that can count before it writes.
//!
//! Formats here are sequences of integers and of floats by their bits, so `NaN` payloads and signed zeros survive.
//! What is written to a [`Sink`] can be written to a buffer ([`Writer`]), counted, or hashed ([`Fnv1a`], [`Sha256`]) by
//! the same function:
//!
//! ```
//! use navarena::bytes::{Reader, Sink, Writer};
//! use navarena::error::{Result, Subject};
//! use navarena::hash::Fnv1a;
//!
//! fn save(points: &[f64], out: &mut impl Sink) {
//!     out.u32(points.len() as u32);
//!     points.iter().for_each(|&x| out.f64(x));
//! }
//!
//! fn load(bytes: &[u8], points: &mut [f64]) -> Result<usize> {
//!     let mut reader = Reader::new(bytes, Subject::Points);
//!     let count = reader.count(size_of::<f64>(), Subject::Points)?;
//!     for point in &mut points[..count] {
//!         *point = reader.f64()?;
//!     }
//!     reader.finish()?;
//!     Ok(count)
//! }
//!
//! let mut counted = Writer::counting();
//! save(&[1.0, -0.0], &mut counted);
//! assert_eq!(counted.position(), 20);
//! let mut bytes = [0; 20];
//! let mut writer = Writer::new(&mut bytes);
//! save(&[1.0, -0.0], &mut writer);
//! assert_eq!(writer.finish(Subject::Bytes), Ok(20));
//! let mut hash = Fnv1a::new();
//! save(&[1.0, -0.0], &mut hash);
//! assert_eq!(hash.finish(), navarena::hash::fnv1a(&bytes));
//! let mut points = [9.0; 2];
//! assert_eq!(load(&bytes, &mut points), Ok(2));
//! assert!(points[1].is_sign_negative());
//! assert!(load(&bytes[..12], &mut points).is_err());
//! ```
//!
//! [`Fnv1a`]: crate::hash::Fnv1a
//! [`Sha256`]: crate::hash::Sha256

mod reader;
mod state_header;
mod writer;

pub use reader::Reader;
pub use state_header::{StateKind, read_state_header, write_state_header};
pub(crate) use state_header::{read_header, write_header};
pub use writer::{Sink, Writer};
