use crate::carriers::Carrier;
use crate::error::{check, Error, Result};
use crate::json::{Node, Value};
use crate::keys::MAXIMUM_LIFETIME;
use crate::names::{ExposedMember, Padding, PushType};
use crate::text::{is_collapse_id, is_visible, quote};

/// The settings of a push. By default, it is an alert for 7 days with the placeholder `(Encrypted)`.
#[derive(Clone, Debug)]
pub struct Options {
    /// The header `apns-push-type`.
    pub push_type: PushType,
    /// The lifetime in seconds, which is shortened to the recipient's.
    pub lifetime: u32,
    /// The lengths to which messages are padded.
    pub padding: Padding,
    /// Members of `aps` that stay readable in an alert, and `alert` for that of a Live Activity.
    pub expose: Vec<ExposedMember>,
    /// The visible alert.
    pub placeholder: Placeholder,
    /// The header `apns-topic`.
    pub topic: Option<String>,
    /// The header `apns-collapse-id`.
    pub collapse_id: Option<String>,
    /// The header `apns-priority`: 1, 5 or 10. By default 5 for background pushes, and 10 for others.
    pub priority: Option<u8>,
    /// The carrier decides the longest payload and the push types.
    pub carrier: Carrier,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            push_type: PushType::Alert,
            lifetime: 7 * 24 * 3600,
            padding: Padding::Buckets,
            expose: Vec::new(),
            placeholder: Placeholder::with_body("(Encrypted)"),
            topic: None,
            collapse_id: None,
            priority: None,
            carrier: Carrier::default(),
        }
    }
}

impl Options {
    pub(crate) fn check(&self) -> Result<()> {
        let reason = "The lifetime isn't valid. Give a lifetime of 1 second to 30 days.";
        check((1..=MAXIMUM_LIFETIME).contains(&self.lifetime), "invalid-lifetime", reason)?;
        let is_visible_topic = self.topic.as_deref().map_or(true, is_visible);
        check(is_visible_topic, "invalid-header", "The topic isn't valid. Give visible ASCII characters.")
    }

    /// Returns the headers of the request to APNs, but for `apns-id`.
    pub(crate) fn headers(&self, expiration: u64) -> Result<Vec<(String, String)>> {
        let is_background = self.push_type == PushType::Background;
        let priority = self.priority.unwrap_or(if is_background { 5 } else { 10 });
        let is_valid = matches!(priority, 1 | 5) || priority == 10 && !is_background;
        let reason = "The priority isn't valid. Give 1, 5 or 10, but not 10 for a background push.";
        check(is_valid, "invalid-header", reason)?;
        let is_valid = self.collapse_id.as_deref().map_or(true, is_collapse_id);
        let reason = "The collapse id isn't valid. Give 1 to 64 visible ASCII characters.";
        check(is_valid, "invalid-header", reason)?;
        let suffix = self.push_type.topic_suffix();
        let is_fitting = |topic: &String| topic.ends_with(suffix) && topic != suffix;
        if !self.topic.as_ref().map_or(true, is_fitting) {
            let reason = format!("The topic doesn't fit the push type. Append {suffix} to the app's bundle ID.");
            return Err(Error::new("invalid-header", reason));
        }
        // Apple requires one attempt for Push to Talk.
        let expiration = if self.push_type == PushType::PushToTalk { 0 } else { expiration };
        let mut headers = vec![
            ("apns-push-type".to_string(), self.push_type.to_string()),
            ("apns-priority".to_string(), priority.to_string()),
            ("apns-expiration".to_string(), expiration.to_string()),
        ];
        for (name, value) in [("apns-topic", &self.topic), ("apns-collapse-id", &self.collapse_id)] {
            headers.extend(value.iter().map(|value| (name.to_string(), value.clone())));
        }
        Ok(headers)
    }
}

/// The alert that is visible before a push is opened: members of Apple's alert dictionary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placeholder {
    /// `title`
    pub title: Option<String>,
    /// `title-loc-key`, a key of the app's string table
    pub title_loc_key: Option<String>,
    /// `title-loc-args`, the arguments of that key
    pub title_loc_args: Option<Vec<String>>,
    /// `subtitle`
    pub subtitle: Option<String>,
    /// `subtitle-loc-key`, a key of the app's string table
    pub subtitle_loc_key: Option<String>,
    /// `subtitle-loc-args`, the arguments of that key
    pub subtitle_loc_args: Option<Vec<String>>,
    /// `body`
    pub body: Option<String>,
    /// `loc-key`, a key of the app's string table
    pub loc_key: Option<String>,
    /// `loc-args`, the arguments of that key
    pub loc_args: Option<Vec<String>>,
}

fn invalid_placeholder() -> Error {
    Error::new("invalid-placeholder", "The placeholder has no text, or another member. Add a body.")
}

impl Placeholder {
    /// Creates a placeholder with a body.
    pub fn with_body(text: impl Into<String>) -> Self {
        Placeholder { body: Some(text.into()), ..Placeholder::default() }
    }

    /// Parses a placeholder, such as `{"title":"Bank","body":"New message"}`.
    pub fn parse(text: &[u8]) -> Result<Self> {
        Placeholder::read(&Value::parse_object(text)?)
    }

    pub(crate) fn read(object: &Value<'_>) -> Result<Self> {
        let mut result = Placeholder::default();
        for member in object.members() {
            let is_set = result.set(&member.name, &member.value).is_some();
            if !is_set {
                return Err(invalid_placeholder());
            }
        }
        Ok(result)
    }

    fn set(&mut self, name: &str, value: &Value<'_>) -> Option<()> {
        let line = match name {
            "title" => &mut self.title,
            "title-loc-key" => &mut self.title_loc_key,
            "subtitle" => &mut self.subtitle,
            "subtitle-loc-key" => &mut self.subtitle_loc_key,
            "body" => &mut self.body,
            "loc-key" => &mut self.loc_key,
            _ => return self.set_arguments(name, value),
        };
        *line = Some(value.text()?.to_string());
        Some(())
    }

    fn set_arguments(&mut self, name: &str, value: &Value<'_>) -> Option<()> {
        let arguments = match name {
            "title-loc-args" => &mut self.title_loc_args,
            "subtitle-loc-args" => &mut self.subtitle_loc_args,
            "loc-args" => &mut self.loc_args,
            _ => return None,
        };
        let items = match &value.node {
            Node::Array(items) => items,
            _ => return None,
        };
        *arguments = Some(items.iter().map(|item| item.text().map(str::to_string)).collect::<Option<_>>()?);
        Some(())
    }

    pub(crate) fn has_string_keys(&self) -> bool {
        let keys = [&self.title_loc_key, &self.subtitle_loc_key, &self.loc_key];
        let arguments = [&self.title_loc_args, &self.subtitle_loc_args, &self.loc_args];
        keys.iter().any(|key| key.is_some()) || arguments.iter().any(|list| list.is_some())
    }

    pub(crate) fn has_body(&self) -> bool {
        self.body.as_ref().map_or(false, |body| !body.is_empty())
    }

    /// Returns the visible alert.
    pub(crate) fn alert(&self) -> Result<String> {
        let groups = [
            ("title", &self.title, "title-loc", &self.title_loc_key, &self.title_loc_args),
            ("subtitle", &self.subtitle, "subtitle-loc", &self.subtitle_loc_key, &self.subtitle_loc_args),
            ("body", &self.body, "loc", &self.loc_key, &self.loc_args),
        ];
        let (mut members, mut has_text) = (Vec::new(), false);
        for (name, text, prefix, key, arguments) in groups {
            for (name, value) in [(name.to_string(), text), (format!("{prefix}-key"), key)] {
                has_text |= value.as_ref().map_or(false, |text| !text.is_empty());
                members.extend(value.iter().map(|text| format!("\"{name}\":{}", quote(text))));
            }
            members.extend(arguments.iter().map(|list| {
                let texts: Vec<_> = list.iter().map(|text| quote(text)).collect();
                format!("\"{prefix}-args\":[{}]", texts.join(","))
            }));
        }
        if !has_text {
            return Err(invalid_placeholder());
        }
        Ok(format!("{{{}}}", members.join(",")))
    }
}
