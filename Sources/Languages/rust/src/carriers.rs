use crate::error::{check, Error, Result};
use crate::json::Value;
use crate::names::{ExposedMember, PushType};
use crate::options::{Options, Placeholder};
use crate::registration::device_token;
use std::borrow::Cow;
use std::fmt;

const APNS: &str = "apns";

/// The service that delivers pushes. By default, it is APNs itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carrier(Cow<'static, str>);

impl Default for Carrier {
    fn default() -> Self {
        Carrier(Cow::Borrowed(APNS))
    }
}

impl fmt::Display for Carrier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What a carrier takes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rules {
    /// Only these push types, or all.
    types: Option<&'static [PushType]>,
    /// Bytes for the carrier's own members.
    reserve: i64,
    /// Characters of the sealed value, or no limit.
    longest_value: Option<i64>,
    /// Only these exposed members, or all.
    exposable: Option<&'static [ExposedMember]>,
    /// The payload is the sealed value alone.
    pub has_no_aps: bool,
    takes_no_sound_members: bool,
    takes_no_string_keys: bool,
    requires_body: bool,
    pub takes_no_collapse_id: bool,
}

const MESSAGES: &[PushType] = &[PushType::Alert, PushType::Background];
const EXPO: &[ExposedMember] = &[
    ExposedMember::Category,
    ExposedMember::Sound,
    ExposedMember::Badge,
    ExposedMember::InterruptionLevel,
    ExposedMember::ContentAvailable,
];
const ONESIGNAL: &[ExposedMember] = &[
    ExposedMember::Category,
    ExposedMember::ThreadId,
    ExposedMember::Sound,
    ExposedMember::Badge,
    ExposedMember::InterruptionLevel,
    ExposedMember::RelevanceScore,
    ExposedMember::TargetContentId,
    ExposedMember::ContentAvailable,
];

/// Returns the rules of a carrier. One that isn't known has those of APNs.
fn rules(name: &str) -> Rules {
    let messages = Rules { types: Some(MESSAGES), ..Rules::default() };
    match name {
        "firebase" => Rules { reserve: 256, ..messages },
        "firebase-android" => Rules { exposable: Some(&[]), has_no_aps: true, ..messages },
        "expo" => Rules {
            reserve: 512,
            exposable: Some(EXPO),
            takes_no_string_keys: true,
            takes_no_collapse_id: true,
            ..messages
        },
        "onesignal" => Rules {
            reserve: 512,
            longest_value: Some(2048 - r#"{"ENCRYPTED_DATA":""}"#.len() as i64),
            exposable: Some(ONESIGNAL),
            takes_no_sound_members: true,
            takes_no_string_keys: true,
            requires_body: true,
            ..messages
        },
        _ => Rules::default(),
    }
}

impl Carrier {
    /// Returns the carrier with a name, such as `expo`.
    pub fn named(name: impl Into<Cow<'static, str>>) -> Self {
        Carrier(name.into())
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.0
    }

    pub(crate) fn rules(&self) -> Rules {
        rules(&self.0)
    }

    /// Returns a token in the form to store: in lowercase for APNs, and unchanged for others.
    pub(crate) fn stored_token(&self, token: &str) -> Result<String> {
        if *self == Carrier::default() {
            return device_token(token);
        }
        Ok(token.to_string())
    }

    /// Returns the number of characters for the sealed values beside the readable bytes of a payload.
    pub(crate) fn room(&self, push_type: PushType, readable: i64) -> i64 {
        let rules = self.rules();
        let room = push_type.maximum() - rules.reserve - readable;
        rules.longest_value.map_or(room, |longest| longest.min(room))
    }

    pub(crate) fn check_type(&self, push_type: PushType) -> Result<()> {
        if self.rules().types.map_or(true, |types| types.contains(&push_type)) {
            return Ok(());
        }
        let reason = format!("{self} takes no sealed {push_type} pushes. Send them to APNs.");
        Err(Error::new("not-sealable", reason))
    }

    /// Returns an error if the carrier's request has no member for a part of the push.
    pub(crate) fn check(&self, aps: Option<&Value<'_>>, options: &Options) -> Result<()> {
        self.check_type(options.push_type)?;
        if options.collapse_id.is_some() && self.rules().takes_no_collapse_id {
            return Err(Error::new("invalid-header", format!("{self} has no collapse id. Omit it.")));
        }
        if options.push_type != PushType::Alert {
            return Ok(());
        }
        self.check_exposed(aps, &options.expose)?;
        if self.rules().has_no_aps {
            return Ok(());
        }
        self.check_placeholder(&options.placeholder)
    }

    fn check_exposed(&self, aps: Option<&Value<'_>>, names: &[ExposedMember]) -> Result<()> {
        let rules = self.rules();
        let is_exposable = |name: &&ExposedMember| rules.exposable.map_or(true, |names| names.contains(name));
        if let Some(name) = names.iter().find(|name| **name != ExposedMember::Alert && !is_exposable(name)) {
            let reason = format!("{self} has no member for {name}. Do not expose it.");
            return Err(Error::new("invalid-payload", reason));
        }
        let has_members = aps.and_then(|aps| aps.get("sound")).map_or(false, Value::is_object);
        let is_refused = rules.takes_no_sound_members && has_members && names.contains(&ExposedMember::Sound);
        check(!is_refused, "invalid-payload", "The carrier takes a sound's name only. Do not expose the sound.")
    }

    fn check_placeholder(&self, placeholder: &Placeholder) -> Result<()> {
        let rules = self.rules();
        let is_refused = rules.takes_no_string_keys && placeholder.has_string_keys();
        let reason = "The carrier takes no keys of the app's string table. Use text.";
        check(!is_refused, "invalid-placeholder", reason)?;
        let is_refused = rules.requires_body && !placeholder.has_body();
        check(!is_refused, "invalid-placeholder", "The carrier requires a body. Add it to the placeholder.")
    }
}
