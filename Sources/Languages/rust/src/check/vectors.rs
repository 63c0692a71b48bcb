use super::answer;
use crate::error::{Error, Result};
use crate::json::{Node, Value};

/// The result of the vectors of a file.
pub struct Summary {
    /// The number of vectors whose answer is the expected one.
    pub passed: usize,
    /// The names of the other vectors.
    pub failed: Vec<String>,
}

/// Runs the vectors of a file: its first line has their number, and each other line has a vector.
pub fn run(text: &str) -> Result<Summary> {
    let incomplete = || Error::new("invalid-configuration", "The file of the vectors is incomplete. Write it again.");
    let mut lines = text.lines();
    let header = Value::parse_object(lines.next().ok_or_else(incomplete)?.as_bytes())?;
    let count = header.member_integer("count", 1, u64::MAX).ok_or_else(incomplete)?;
    let vectors = lines.map(|line| Value::parse_object(line.as_bytes())).collect::<Result<Vec<_>>>()?;
    if header.member_integer("version", 1, 1).is_none() || vectors.len() as u64 != count {
        return Err(incomplete());
    }
    let failed = vectors.iter().filter(|vector| !passes(vector).unwrap_or(false));
    let failed: Vec<_> = failed.map(|vector| vector.member_text("name").unwrap_or("").to_string()).collect();
    Ok(Summary { passed: vectors.len() - failed.len(), failed })
}

/// Reports whether the answer to a vector is the expected one. Members with JSON text are compared as values.
fn passes(vector: &Value<'_>) -> Option<bool> {
    let (request, wanted) = (vector.get("request")?, vector.get("answer")?);
    let texts: Vec<&str> = vector.get("json")?.items().iter().filter_map(Value::text).collect();
    let found = answer(request.raw, |_| None).ok()?;
    let found = Value::parse_object(found.as_bytes()).ok()?;
    let is_same = |name: &str| {
        let (wanted, found) = (wanted.get(name)?, found.get(name)?);
        match (texts.contains(&name), wanted.text(), found.text()) {
            (true, Some(wanted), Some(found)) => is_equal_json(wanted, found),
            _ => Some(is_equal(wanted, found)),
        }
    };
    let is_complete = wanted.members().len() == found.members().len();
    Some(is_complete && wanted.members().iter().all(|member| is_same(&member.name) == Some(true)))
}

fn is_equal_json(first: &str, second: &str) -> Option<bool> {
    let first = Value::parse_object(first.as_bytes()).ok()?;
    let second = Value::parse_object(second.as_bytes()).ok()?;
    Some(is_equal(&first, &second))
}

/// Compares values. Members can have another order, and numbers are compared as they are written.
fn is_equal(first: &Value<'_>, second: &Value<'_>) -> bool {
    match (&first.node, &second.node) {
        (Node::String(first), Node::String(second)) => first == second,
        (Node::Array(first), Node::Array(second)) => {
            first.len() == second.len() && first.iter().zip(second).all(|(first, second)| is_equal(first, second))
        }
        (Node::Object(first), Node::Object(members)) => {
            let is_same = |name: &str, value| second.get(name).map_or(false, |other| is_equal(value, other));
            first.len() == members.len() && first.iter().all(|member| is_same(&member.name, &member.value))
        }
        _ => first.raw == second.raw,
    }
}
