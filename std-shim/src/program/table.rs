//! Two columns of text: what, and how much.

use std::fmt::{self, Write};

/// Rows of a name and a value, printed aligned.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<(String, String)>,
}

impl Table {
    /// Adds a row.
    pub fn row(&mut self, name: &str, value: impl fmt::Display) {
        self.rows.push((name.into(), value.to_string()));
    }

    /// Adds an empty line and a heading.
    pub fn heading(&mut self, name: &str) {
        self.rows.push((name.into(), String::new()));
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().filter(|row| !row.1.is_empty()).map(|row| row.0.len()).max().unwrap_or(0);
        for (name, value) in &self.rows {
            if value.is_empty() {
                writeln!(f, "\n{name}")?;
            } else {
                writeln!(f, "  {name:width$}  {value}")?;
            }
        }
        Ok(())
    }
}

/// A number with a space between each three digits.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A size as a person reads it.
pub fn size(bytes: usize) -> String {
    let bytes = bytes as f64;
    match bytes {
        b if b < 1024.0 => format!("{b} bytes"),
        b if b < 1024.0 * 1024.0 => format!("{:.1} KiB", b / 1024.0),
        b => format!("{:.1} MiB", b / 1024.0 / 1024.0),
    }
}

/// A time in milliseconds, with as many digits as it needs.
pub fn milliseconds(time: std::time::Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 1.0 { format!("{ms:.3} ms") } else { format!("{ms:.1} ms") }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A point as it is given on the command line.
pub fn point([x, y, z]: [f64; 3]) -> String {
    format!("{x:.3}, {y:.3}, {z:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_one_column() {
        let mut table = Table::default();
        table.row("a", 1);
        table.row("longer", "x");
        table.heading("more");
        table.row("b", 2);
        assert_eq!(table.to_string(), "  a       1\n  longer  x\n\nmore\n  b       2\n");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!((count(0), count(999), count(1234567)), ("0".into(), "999".into(), "1 234 567".into()));
        assert_eq!((size(10), size(1536), size(5 << 20)), ("10 bytes".into(), "1.5 KiB".into(), "5.0 MiB".into()));
        assert_eq!(hex(&[0, 255, 16]), "00ff10");
    }
}
