//! The format's rules for original payloads.

use crate::error::{check, Error, Result};
use crate::json::{Node, Value};
use crate::names::PushType;
use crate::text::{compact, is_collapse_id};

const MAXIMUM_LENGTH: usize = 65_535;
const MAXIMUM_TARGETS: usize = 100;
const ALERT_TEXTS: [&str; 6] = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"];
/// The members that the extension writes.
const RESERVED: [&str; 2] = ["pushcrypt.receipt", "pushcrypt.added"];
const TARGETS: [&str; 2] = ["collapse-ids", "thread-ids"];

fn invalid(reason: String) -> Error {
    Error::new("invalid-payload", reason)
}

/// Parses an original, and checks the rules for its push type.
pub(crate) fn parse(payload: &[u8], push_type: PushType) -> Result<Value<'_>> {
    let root = Value::parse_object(payload)?;
    let reason = "The payload has more than 65535 bytes. Shorten it.";
    check(compact(root.raw).len() <= MAXIMUM_LENGTH, "payload-too-large", reason)?;
    let reason = "The payload already has an ENCRYPTED_DATA. Seal the original payload.";
    check(root.get("ENCRYPTED_DATA").is_none(), "already-sealed", reason)?;
    if let Some(name) = RESERVED.iter().find(|name| root.get(name).is_some()) {
        return Err(invalid(format!("\"{name}\" is reserved for the device. Rename the member.")));
    }
    let aps = root.get("aps");
    let is_object = aps.map_or(true, Value::is_object);
    check(is_object, "invalid-payload", "\"aps\" isn't an object. Give an object.")?;
    match push_type {
        PushType::Alert if is_withdrawal(&root) => {
            check_targets(&root)?;
            check_alert(aps, true)?;
        }
        PushType::Alert => {
            check(aps.is_some(), "invalid-payload", "\"aps\" is missing. Add it.")?;
            check_alert(aps, false)?;
        }
        PushType::Background => check_background(aps)?,
        PushType::LiveActivity => check_activity(&root, aps)?,
        PushType::Voip | PushType::Location | PushType::PushToTalk => (),
    }
    Ok(root)
}

fn check_alert(aps: Option<&Value<'_>>, is_text_optional: bool) -> Result<()> {
    let alert = aps.and_then(|aps| aps.get("alert"));
    let has_fitting_type =
        alert.map_or(true, |alert| matches!(alert.node, Node::Null | Node::String(_) | Node::Object(_)));
    check(has_fitting_type, "invalid-payload", "The alert isn't a string or an object. Correct it.")?;
    let is_text = |value: &Value<'_>| value.text().map_or(false, |text| !text.is_empty());
    let mut has_text = is_text_optional || alert.map_or(false, is_text);
    for name in ALERT_TEXTS {
        if let Some(value) = alert.and_then(|alert| alert.get(name)) {
            if value.text().is_none() && !value.is_null() {
                return Err(invalid(format!("The alert's \"{name}\" isn't a string. Give a string.")));
            }
            has_text |= is_text(value);
        }
    }
    check(has_text, "no-alert-text", "The alert has no text. Add a title, a subtitle or a body.")
}

fn check_background(aps: Option<&Value<'_>>) -> Result<()> {
    let is_one = aps.and_then(|aps| aps.get("content-available")).map_or(false, |value| match value.node {
        Node::Boolean(is_true) => is_true,
        Node::Number => value.raw.parse() == Ok(1.0_f64),
        _ => false,
    });
    let reason = "\"content-available\" isn't 1. Add \"content-available\": 1 to \"aps\".";
    check(is_one, "invalid-payload", reason)?;
    for name in ["alert", "badge", "sound"] {
        let is_missing = aps.and_then(|aps| aps.get(name)).map_or(true, Value::is_null);
        if !is_missing {
            return Err(invalid(format!("A background push has \"{name}\". Remove it, or send an alert.")));
        }
    }
    Ok(())
}

fn check_activity(root: &Value<'_>, aps: Option<&Value<'_>>) -> Result<()> {
    let aps = match aps {
        Some(aps) if root.members().len() == 1 => aps,
        _ => {
            let reason = "A Live Activity push isn't \"aps\" alone. Move other members into \"content-state\".";
            return Err(invalid(reason.to_string()));
        }
    };
    let is_started = aps.member_text("event") == Some("start");
    let has_attributes = is_started || aps.get("attributes-type").map_or(false, |name| !name.is_null());
    for (name, is_required) in [("content-state", true), ("attributes", has_attributes)] {
        let value = aps.get(name).filter(|value| !value.is_null());
        let is_fitting = value.map_or(!is_required, Value::is_object);
        if !is_fitting {
            let advice = "Give an object, to an end a final state, or send the push unsealed.";
            return Err(invalid(format!("\"{name}\" is missing or isn't an object. {advice}")));
        }
        if value.and_then(|value| value.get("ENCRYPTED_DATA")).is_some() {
            let reason = format!("\"{name}\" already has an ENCRYPTED_DATA. Seal the original payload.");
            return Err(Error::new("already-sealed", reason));
        }
    }
    Ok(())
}

/// Reports whether an alert has the members of a withdrawal, and no other ones.
pub(crate) fn is_withdrawal(root: &Value<'_>) -> bool {
    let is_target = |name: &str| TARGETS.contains(&name);
    root.members().iter().any(|member| is_target(&member.name))
        && root.members().iter().all(|member| is_target(&member.name) || member.name == "aps")
}

fn check_targets(root: &Value<'_>) -> Result<()> {
    let (mut count, mut is_valid) = (0, true);
    for member in root.members().iter().filter(|member| member.name != "aps") {
        is_valid &= member.value.is_array();
        count += member.value.items().len();
        is_valid &= member.value.items().iter().all(|item| match item.text() {
            Some(id) if member.name == "collapse-ids" => is_collapse_id(id),
            Some(id) => !id.is_empty(),
            None => false,
        });
    }
    let reason = "The withdrawal's ids aren't valid. Give 1 to 100 strings, collapse ids of visible ASCII.";
    check(is_valid && (1..=MAXIMUM_TARGETS).contains(&count), "invalid-payload", reason)
}

/// Returns the id of a withdrawal with exactly one collapse id.
pub(crate) fn withdrawn_id(root: &Value<'_>, push_type: PushType) -> Option<String> {
    let ids = root.get("collapse-ids").filter(|_| push_type == PushType::Alert && is_withdrawal(root))?;
    match ids.items() {
        [id] => id.text().map(str::to_string),
        _ => None,
    }
}
