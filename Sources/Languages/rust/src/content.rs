//! The bodies of the carriers' requests.

use crate::error::{Error, Result};
use crate::json::Value;
use crate::seal::Push;
use crate::text::quote;

/// 28 days in seconds: the longest time for which Firebase keeps a push for Android, and OneSignal each push.
const FOUR_WEEKS: u64 = 28 * 24 * 3600;
/// Only APNs gets `apns-id`.
const FIREBASE_HEADERS: [&str; 5] =
    ["apns-collapse-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic"];

/// Members of an object with their values in JSON. A member without a value isn't written.
type Members<'m> = Vec<(&'m str, Option<String>)>;

fn object(members: Members<'_>) -> String {
    let texts: Vec<String> =
        members.into_iter().filter_map(|(name, value)| Some(format!("{}:{}", quote(name), value?))).collect();
    format!("{{{}}}", texts.join(","))
}

/// The parts of a sealed push.
pub(crate) struct Content<'p> {
    push: &'p Push,
    root: Value<'p>,
    /// Seconds since 1970-01-01 UTC, and zero for one attempt.
    expiration: Option<u64>,
    /// Seconds from the time of issue.
    time_to_live: Option<u64>,
}

impl<'p> Content<'p> {
    pub fn new(push: &'p Push) -> Result<Self> {
        let root = Value::parse_object(push.payload.as_bytes())?;
        let mut content = Content { push, root, expiration: None, time_to_live: None };
        let expiration: Option<u64> = content.header("apns-expiration").and_then(|text| text.parse().ok());
        content.expiration = expiration;
        content.time_to_live = expiration.map(|end| end.saturating_mul(1000).saturating_sub(push.issued_at_ms) / 1000);
        Ok(content)
    }

    fn header(&self, name: &str) -> Option<&'p str> {
        self.push.headers.iter().find(|(each, _)| each == name).map(|(_, value)| value.as_str())
    }

    fn quoted_header(&self, name: &str) -> Option<String> {
        self.header(name).map(quote)
    }

    fn aps(&self, name: &str) -> Option<&Value<'p>> {
        self.root.get("aps")?.get(name)
    }

    fn raw(&self, name: &str) -> Option<String> {
        self.aps(name).map(|value| value.raw.to_string())
    }

    /// Returns a line of the placeholder.
    fn line(&self, name: &str) -> Option<String> {
        self.aps("alert")?.get(name).map(|value| value.raw.to_string())
    }

    /// Returns a line as OneSignal's text for users of each language without its own text.
    fn english(&self, name: &str) -> Option<String> {
        Some(object(vec![("en", Some(self.line(name)?))]))
    }

    fn flag(&self, name: &str) -> Option<String> {
        self.aps(name).map(|_| "true".to_string())
    }

    fn data(&self) -> Option<String> {
        let value = self.root.get("ENCRYPTED_DATA").map(|value| value.raw.to_string());
        Some(object(vec![("ENCRYPTED_DATA", value)]))
    }

    fn urgency(&self) -> Option<String> {
        let is_high = self.header("apns-priority") == Some("10");
        Some(quote(if is_high { "high" } else { "normal" }))
    }

    /// Returns the time to live, at most four weeks.
    fn seconds(&self) -> Option<u64> {
        self.time_to_live.map(|seconds| seconds.min(FOUR_WEEKS))
    }

    pub fn firebase(&self, token: &str) -> String {
        let headers = FIREBASE_HEADERS.iter().map(|name| (*name, self.quoted_header(name))).collect();
        let payload = Some(self.push.payload.clone());
        let apns = object(vec![("headers", Some(object(headers))), ("payload", payload)]);
        object(vec![("message", Some(object(vec![("token", Some(quote(token))), ("apns", Some(apns))])))])
    }

    pub fn firebase_android(&self, token: &str) -> String {
        let android = object(vec![
            ("priority", self.urgency()),
            ("ttl", self.seconds().map(|seconds| format!("\"{seconds}s\""))),
            ("collapseKey", self.quoted_header("apns-collapse-id")),
            ("data", self.data()),
        ]);
        object(vec![("message", Some(object(vec![("token", Some(quote(token))), ("android", Some(android))])))])
    }

    pub fn expo(&self, token: &str) -> String {
        let end = if self.expiration == Some(0) { "ttl" } else { "expiration" };
        object(vec![
            ("to", Some(quote(token))),
            ("title", self.line("title")),
            ("subtitle", self.line("subtitle")),
            ("body", self.line("body")),
            ("mutableContent", self.flag("mutable-content")),
            ("_contentAvailable", self.flag("content-available")),
            ("badge", self.raw("badge")),
            ("sound", self.raw("sound")),
            ("categoryId", self.raw("category")),
            ("interruptionLevel", self.raw("interruption-level")),
            ("data", self.data()),
            (end, self.header("apns-expiration").map(str::to_string)),
            ("priority", self.urgency()),
        ])
    }

    pub fn one_signal(&self, token: &str, app_id: Option<&str>) -> Result<String> {
        let reason = "OneSignal requires the app's id. Give it.";
        let app_id = app_id.filter(|id| !id.is_empty()).ok_or_else(|| Error::new("missing-value", reason))?;
        let level = self.aps("interruption-level").and_then(|level| level.text()).map(|level| match level {
            "time-sensitive" => quote("time_sensitive"),
            level => quote(level),
        });
        Ok(object(vec![
            ("app_id", Some(quote(app_id))),
            ("include_subscription_ids", Some(format!("[{}]", quote(token)))),
            ("target_channel", Some(quote("push"))),
            ("contents", self.english("body")),
            ("headings", self.english("title")),
            ("subtitle", self.english("subtitle")),
            ("mutable_content", self.flag("mutable-content")),
            ("content_available", self.flag("content-available")),
            ("ios_badgeType", self.aps("badge").map(|_| quote("SetTo"))),
            ("ios_badgeCount", self.raw("badge")),
            ("ios_interruption_level", level),
            ("ios_sound", self.raw("sound")),
            ("ios_category", self.raw("category")),
            ("thread_id", self.raw("thread-id")),
            ("ios_relevance_score", self.raw("relevance-score")),
            ("target_content_identifier", self.raw("target-content-id")),
            ("data", self.data()),
            ("ttl", self.seconds().map(|seconds| seconds.to_string())),
            ("priority", self.header("apns-priority").map(str::to_string)),
            ("collapse_id", self.quoted_header("apns-collapse-id")),
        ]))
    }
}
