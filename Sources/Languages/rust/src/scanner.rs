use crate::error::Error;
use crate::json::{Member, Node, Value};
use crate::text::is_space;
use std::borrow::Cow;
use std::collections::HashSet;

/// A violation of the grammar, at a byte.
pub(crate) struct Problem {
    at: usize,
    text: &'static str,
}

impl Problem {
    pub fn with_code(self, code: &'static str) -> Error {
        Error::new(code, format!("At byte {}, {}. Give one strict JSON object.", self.at, self.text))
    }
}

type Scanned<T> = Result<T, Problem>;

const MAXIMUM_DEPTH: usize = 64;
const INVALID: &str = "a character isn't valid";
const INVALID_ESCAPE: &str = "an escape isn't valid";
const LONE_SURROGATE: &str = "a surrogate is alone";

pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Returns the object that is the whole text.
    pub fn parse(bytes: &'a [u8]) -> Scanned<Value<'a>> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| Problem { at: error.valid_up_to(), text: "the text isn't UTF-8" })?;
        let mut scanner = Scanner { text, at: 0 };
        scanner.skip_space();
        let root = scanner.value(1)?;
        if !root.is_object() {
            return scanner.stop("the value isn't an object");
        }
        scanner.skip_space();
        if scanner.at < text.len() {
            return scanner.stop("the object isn't the end");
        }
        Ok(root)
    }

    fn stop<T>(&self, text: &'static str) -> Scanned<T> {
        Err(Problem { at: self.at, text })
    }

    /// Returns the next byte. It is zero at the end, which no rule of the grammar accepts.
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        while is_space(self.peek()) {
            self.at += 1;
        }
    }

    fn expect(&mut self, token: &str) -> Scanned<()> {
        if !self.text.as_bytes()[self.at..].starts_with(token.as_bytes()) {
            return self.stop(INVALID);
        }
        self.at += token.len();
        Ok(())
    }

    fn literal(&mut self, token: &str, node: Node<'a>) -> Scanned<Node<'a>> {
        self.expect(token)?;
        Ok(node)
    }

    fn value(&mut self, depth: usize) -> Scanned<Value<'a>> {
        let start = self.at;
        let node = match self.peek() {
            b'{' | b'[' if depth > MAXIMUM_DEPTH => return self.stop("the nesting is too deep"),
            b'{' => self.object(depth)?,
            b'[' => self.array(depth)?,
            b'"' => Node::String(self.string()?),
            b't' => self.literal("true", Node::Boolean(true))?,
            b'f' => self.literal("false", Node::Boolean(false))?,
            b'n' => self.literal("null", Node::Null)?,
            _ => self.number()?,
        };
        Ok(Value { raw: &self.text[start..self.at], node })
    }

    /// Skips white space, and the closing bracket if it is next. Reports whether it was.
    fn is_closed(&mut self, bracket: u8) -> bool {
        self.skip_space();
        let is_closed = self.peek() == bracket;
        self.at += usize::from(is_closed);
        is_closed
    }

    fn array(&mut self, depth: usize) -> Scanned<Node<'a>> {
        self.at += 1;
        let mut items = Vec::new();
        if self.is_closed(b']') {
            return Ok(Node::Array(items));
        }
        loop {
            self.skip_space();
            items.push(self.value(depth + 1)?);
            if self.is_closed(b']') {
                return Ok(Node::Array(items));
            }
            self.expect(",")?;
        }
    }

    fn object(&mut self, depth: usize) -> Scanned<Node<'a>> {
        self.at += 1;
        let (mut members, mut names) = (Vec::new(), HashSet::new());
        if self.is_closed(b'}') {
            return Ok(Node::Object(members));
        }
        loop {
            self.skip_space();
            let member = self.member(depth)?;
            if !names.insert(member.name.clone()) {
                return self.stop("a name occurs twice in one object");
            }
            members.push(member);
            if self.is_closed(b'}') {
                return Ok(Node::Object(members));
            }
            self.expect(",")?;
        }
    }

    fn member(&mut self, depth: usize) -> Scanned<Member<'a>> {
        let start = self.at;
        let name = self.string()?;
        let raw_name = &self.text[start..self.at];
        self.skip_space();
        self.expect(":")?;
        self.skip_space();
        let value = self.value(depth + 1)?;
        Ok(Member { name, raw_name, value })
    }

    fn digits(&mut self) -> Scanned<()> {
        if !self.peek().is_ascii_digit() {
            return self.stop(INVALID);
        }
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }

    fn skip(&mut self, bytes: &[u8]) -> bool {
        let is_next = bytes.contains(&self.peek());
        self.at += usize::from(is_next);
        is_next
    }

    fn number(&mut self) -> Scanned<Node<'a>> {
        self.skip(b"-");
        if !self.skip(b"0") {
            self.digits()?;
        }
        if self.skip(b".") {
            self.digits()?;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
        }
        Ok(Node::Number)
    }

    fn string(&mut self) -> Scanned<Cow<'a, str>> {
        self.expect("\"")?;
        let mut start = self.at;
        let mut resolved: Option<String> = None;
        loop {
            match self.peek() {
                b'"' => break,
                b'\\' => {
                    let text = resolved.get_or_insert_with(String::new);
                    text.push_str(&self.text[start..self.at]);
                    self.at += 1;
                    let character = self.escape()?;
                    text.push(character);
                    start = self.at;
                }
                0..=0x1f => return self.stop("a string has a control character or no end"),
                _ => self.at += 1,
            }
        }
        let rest = &self.text[start..self.at];
        self.at += 1;
        Ok(match resolved {
            None => Cow::Borrowed(rest),
            Some(text) => Cow::Owned(text + rest),
        })
    }

    /// Returns the character of an escape. Its backslash was read.
    fn escape(&mut self) -> Scanned<char> {
        let character = match self.peek() {
            byte @ (b'"' | b'\\' | b'/') => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return self.stop(INVALID_ESCAPE),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode(&mut self) -> Scanned<char> {
        let first = self.unit()?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        if first >= 0xdc00 || !self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            return self.stop(LONE_SURROGATE);
        }
        self.at += 1;
        let second = self.unit()?;
        if !(0xdc00..0xe000).contains(&second) {
            return self.stop(LONE_SURROGATE);
        }
        let point = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        char::from_u32(point).map_or_else(|| self.stop(LONE_SURROGATE), Ok)
    }

    /// Returns the code unit of `u` and four hexadecimal digits.
    fn unit(&mut self) -> Scanned<u32> {
        let digits = self.text.as_bytes().get(self.at + 1..self.at + 5).unwrap_or(&[]);
        if digits.len() != 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return self.stop(INVALID_ESCAPE);
        }
        self.at += 5;
        Ok(digits.iter().fold(0, |unit, &digit| unit * 16 + char::from(digit).to_digit(16).unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests;
