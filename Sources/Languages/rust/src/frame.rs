//! The readable text of a sealed payload, around the sealed texts.

use crate::error::{Error, Result};
use crate::json::{Node, Value};
use crate::names::{ExposedMember, Kind, PushType};
use crate::options::Options;
use crate::original;
use crate::text::compact;

/// An object that is sealed as a message of its own.
pub(crate) struct Part {
    pub kind: Kind,
    pub text: String,
}

/// The parts, and the texts before, between and after them.
pub(crate) struct Frame {
    pub texts: Vec<String>,
    pub parts: Vec<Part>,
}

impl Frame {
    pub fn new(root: &Value<'_>, options: &Options) -> Result<Self> {
        if options.push_type == PushType::LiveActivity {
            return Frame::of_activity(root, options);
        }
        let is_alert = options.push_type == PushType::Alert;
        let kind = match options.push_type {
            PushType::Alert if original::is_withdrawal(root) => Kind::Withdrawal,
            push_type => push_type.kind(),
        };
        let has_aps = !options.carrier.rules().has_no_aps;
        let aps = match options.push_type {
            PushType::Alert if has_aps => format!(r#""alert":{},"mutable-content":1"#, options.placeholder.alert()?),
            PushType::Background => r#""content-available":1"#.to_string(),
            _ => String::new(),
        };
        let exposed = if is_alert { exposed(root.get("aps"), &options.expose)? } else { String::new() };
        let aps = if has_aps { format!(r#""aps":{{{aps}{exposed}}},"#) } else { String::new() };
        let texts = vec![format!(r#"{{{aps}"ENCRYPTED_DATA":""#), r#""}"#.to_string()];
        Ok(Frame { texts, parts: vec![Part { kind, text: compact(root.raw) }] })
    }

    /// Replaces only the values of the state, of the attributes, and of an alert that isn't exposed.
    fn of_activity(root: &Value<'_>, options: &Options) -> Result<Self> {
        let is_alert_exposed = options.expose.contains(&ExposedMember::Alert);
        let mut frame = Frame { texts: Vec::new(), parts: Vec::new() };
        let mut text = String::from("{");
        for aps in root.members() {
            text = text + aps.raw_name + ":{";
            for (at, member) in aps.value.members().iter().enumerate() {
                text = text + if at > 0 { "," } else { "" } + member.raw_name + ":";
                let kind = match member.name.as_ref() {
                    "content-state" if member.value.is_object() => Kind::ActivityState,
                    "attributes" if member.value.is_object() => Kind::ActivityAttributes,
                    "alert" if !member.value.is_null() && !is_alert_exposed => {
                        text += &replaced_alert(&member.value, options)?;
                        continue;
                    }
                    _ => {
                        text += &compact(member.value.raw);
                        continue;
                    }
                };
                frame.texts.push(text + r#"{"ENCRYPTED_DATA":""#);
                frame.parts.push(Part { kind, text: compact(member.value.raw) });
                text = String::from(r#""}"#);
            }
        }
        frame.texts.push(text + "}}");
        Ok(frame)
    }

    /// Returns the number of readable bytes.
    pub fn length(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }
}

fn is_nested(value: &Value<'_>) -> bool {
    matches!(value.node, Node::Object(_) | Node::Array(_))
}

/// Returns the readable alert of a Live Activity: the placeholder, with the sound of the original's alert.
fn replaced_alert(alert: &Value<'_>, options: &Options) -> Result<String> {
    let mut text = options.placeholder.alert()?;
    if let Some(sound) = alert.get("sound").filter(|sound| sound.text().is_some()) {
        text.pop();
        text += &format!(r#","sound":{}}}"#, sound.raw);
    }
    Ok(text)
}

/// Returns the members of the original that stay readable in an alert, each after a comma.
fn exposed(aps: Option<&Value<'_>>, names: &[ExposedMember]) -> Result<String> {
    let mut result = String::new();
    let is_exposed = |name: &&ExposedMember| **name != ExposedMember::Alert && names.contains(name);
    for name in ExposedMember::ALL.iter().filter(is_exposed) {
        let value = match aps.and_then(|aps| aps.get(name.name())) {
            Some(value) => value,
            None => continue,
        };
        let text = if *name == ExposedMember::Sound && value.is_object() {
            sound(value)?
        } else if is_nested(value) {
            let reason = format!("The exposed \"{name}\" is an object or an array. Don't expose it.");
            return Err(Error::new("invalid-payload", reason));
        } else {
            value.raw.to_string()
        };
        result += &format!(",\"{name}\":{text}");
    }
    Ok(result)
}

/// Returns the readable members of a sound.
fn sound(value: &Value<'_>) -> Result<String> {
    let mut members = Vec::new();
    for name in ["critical", "name", "volume"] {
        if let Some(member) = value.get(name) {
            if is_nested(member) {
                let reason = "The exposed sound has an object or an array. Correct it.";
                return Err(Error::new("invalid-payload", reason));
            }
            members.push(format!("\"{name}\":{}", member.raw));
        }
    }
    Ok(format!("{{{}}}", members.join(",")))
}
