//! Claims about followers.
