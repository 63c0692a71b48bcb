//! Strict JSON: the values with their text as it arrived.

use crate::error::Result;
use crate::scanner::Scanner;
pub use crate::text::quote;
use std::borrow::Cow;

/// The content of a value. A number has only its text.
#[derive(Clone, Debug)]
pub enum Node<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number of any size.
    Number,
    /// A string, with its escapes resolved.
    String(Cow<'a, str>),
    /// The elements of an array.
    Array(Vec<Value<'a>>),
    /// The members of an object, in their order.
    Object(Vec<Member<'a>>),
}

/// A value of strict JSON.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// The text of the value.
    pub raw: &'a str,
    /// The content of the value.
    pub node: Node<'a>,
}

/// A member of an object.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// The name, with its escapes resolved.
    pub name: Cow<'a, str>,
    /// The text of the name, with its quotes.
    pub raw_name: &'a str,
    /// The value.
    pub value: Value<'a>,
}

impl<'a> Value<'a> {
    /// Parses one strict JSON object. The error is `malformed-json`.
    pub fn parse_object(text: &'a [u8]) -> Result<Self> {
        Value::parse_with_code(text, "malformed-json")
    }

    pub(crate) fn parse_with_code(text: &'a [u8], code: &'static str) -> Result<Self> {
        Scanner::parse(text).map_err(|problem| problem.with_code(code))
    }

    /// Returns the value of a member, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.members().iter().find(|member| member.name == name).map(|member| &member.value)
    }

    /// Returns the members. Only an object has members.
    pub fn members(&self) -> &[Member<'a>] {
        match &self.node {
            Node::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements. Only an array has elements.
    pub fn items(&self) -> &[Value<'a>] {
        match &self.node {
            Node::Array(items) => items,
            _ => &[],
        }
    }

    /// Returns the text of a string, with its escapes resolved.
    pub fn text(&self) -> Option<&str> {
        match &self.node {
            Node::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a number that is written in digits only, if it is in a range.
    pub fn integer(&self, minimum: u64, maximum: u64) -> Option<u64> {
        let is_number = matches!(self.node, Node::Number) && !self.raw.starts_with('-');
        let number = self.raw.parse().ok().filter(|_| is_number)?;
        (minimum..=maximum).contains(&number).then_some(number)
    }

    /// Reports whether this is an object.
    pub fn is_object(&self) -> bool {
        matches!(self.node, Node::Object(_))
    }

    /// Reports whether this is an array.
    pub fn is_array(&self) -> bool {
        matches!(self.node, Node::Array(_))
    }

    /// Reports whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.node, Node::Null)
    }

    /// Returns the text of a string between its quotes if it has no escapes.
    pub(crate) fn unescaped(&self) -> Option<&'a str> {
        match &self.node {
            Node::String(_) => self.raw.get(1..self.raw.len() - 1).filter(|text| !text.contains('\\')),
            _ => None,
        }
    }

    pub(crate) fn member_text(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    pub(crate) fn member_integer(&self, name: &str, minimum: u64, maximum: u64) -> Option<u64> {
        self.get(name)?.integer(minimum, maximum)
    }
}
