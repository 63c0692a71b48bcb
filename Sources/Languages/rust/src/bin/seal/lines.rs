use std::io::{self, BufRead};

const MAXIMUM_LENGTH: usize = 65_536;

/// A line of the input, without its line feed.
pub enum Line<'l> {
    Text(&'l [u8]),
    TooLong,
    End,
}

/// The lines of an input, in little memory for a line of any length.
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Self {
        Lines { input, line: Vec::new() }
    }

    pub fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let (mut is_too_long, mut is_empty) = (false, true);
        loop {
            let available = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                result => result?,
            };
            if available.is_empty() {
                break;
            }
            is_empty = false;
            let end = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            is_too_long |= self.line.len() + part.len() > MAXIMUM_LENGTH;
            if !is_too_long {
                self.line.extend_from_slice(part);
            }
            let count = part.len() + usize::from(end.is_some());
            self.input.consume(count);
            if end.is_some() {
                break;
            }
        }
        Ok(match (is_empty, is_too_long) {
            (true, _) => Line::End,
            (false, true) => Line::TooLong,
            (false, false) => Line::Text(&self.line),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped() {
        let text =
            ["a".repeat(MAXIMUM_LENGTH), "b".repeat(MAXIMUM_LENGTH + 1), String::new(), "c".to_string()].join("\n");
        let mut lines = Lines::new(io::BufReader::with_capacity(7, text.as_bytes()));
        let mut found = Vec::new();
        loop {
            match lines.next().unwrap() {
                Line::End => break,
                Line::TooLong => found.push(None),
                Line::Text(line) => found.push(Some(line.len())),
            }
        }
        assert_eq!(found, [Some(MAXIMUM_LENGTH), None, Some(0), Some(1)]);
    }
}
