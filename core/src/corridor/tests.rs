//! Claims about corridors.
