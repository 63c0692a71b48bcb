use crate::arguments::seconds;
use pushcrypt::json::{quote, Member, Node, Value};
use pushcrypt::{Carrier, CarrierRequest, Error, Options, Push, Recipient, Result, Sealer};

/// Members that an answer replaces, and those that only an answer without an error keeps.
const REPLACED: [&str; 3] = ["to", "payload", "headers"];
const DROPPED: [&str; 7] = ["line", "error", "type", "lifetime", "collapse-id", "topic", "priority"];

pub struct Filter {
    pub sealer: Sealer,
    pub options: Options,
    /// The payload of lines without one.
    pub payload: Option<Vec<u8>>,
    pub app_id: Option<String>,
}

/// Returns a member that is a string.
fn text_of(line: &Value<'_>, name: &str) -> Result<Option<String>> {
    let reason = format!("\"{name}\" isn't a string. Give a string.");
    match line.get(name) {
        None => Ok(None),
        Some(value) => {
            value.text().map(|text| Some(text.to_string())).ok_or_else(|| Error::new("type-mismatch", reason))
        }
    }
}

fn missing(name: &str) -> Error {
    Error::new("missing-value", format!("\"{name}\" is missing. Add it."))
}

impl Filter {
    /// Returns the options, which the members of a line replace.
    fn options(&self, line: &Value<'_>) -> Result<Options> {
        let mut options = self.options.clone();
        if let Some(name) = text_of(line, "type")? {
            options.push_type = name.parse()?;
        }
        options.topic = text_of(line, "topic")?.or(options.topic);
        options.collapse_id = text_of(line, "collapse-id")?.or(options.collapse_id);
        if let Some(value) = line.get("lifetime") {
            let text = match &value.node {
                Node::Number => format!("{}s", value.raw),
                _ => value.text().unwrap_or("").to_string(),
            };
            let reason = "The lifetime isn't valid. Give a lifetime of 1 second to 30 days.";
            options.lifetime = seconds(&text).ok_or_else(|| Error::new("invalid-lifetime", reason))?;
        }
        if let Some(value) = line.get("priority") {
            let priority = value.integer(1, 10).and_then(|number| u8::try_from(number).ok());
            let reason = "The priority isn't valid. Give 1, 5 or 10.";
            options.priority = Some(priority.ok_or_else(|| Error::new("invalid-header", reason))?);
        }
        Ok(options)
    }

    fn push(&self, line: &Value<'_>) -> Result<Push> {
        let to = line.get("to").ok_or_else(|| missing("to"))?;
        let payload = line.get("payload").map(|payload| payload.raw.as_bytes()).or(self.payload.as_deref());
        let payload = payload.ok_or_else(|| missing("payload"))?;
        let options = self.options(line)?;
        let recipient = Recipient::parse(to.text().unwrap_or(to.raw).as_bytes())?;
        self.sealer.seal(payload, &recipient, &options)
    }

    /// Returns the request to APNs, or to the carrier for the token of a line.
    fn request(&self, line: &Value<'_>) -> Result<CarrierRequest> {
        let push = self.push(line)?;
        if push.carrier == Carrier::default() {
            return Ok(CarrierRequest { body: push.payload, headers: push.headers });
        }
        let token = text_of(line, "token")?.ok_or_else(|| missing("token"))?;
        push.request(&token, self.app_id.as_deref())
    }

    /// Returns the answer to a line, which is `None` if it is too long. Reports whether it is sealed.
    pub fn answer(&self, text: Option<&[u8]>, number: u64) -> (String, bool) {
        let reason = "The line has more than 65536 bytes. Shorten it.";
        let line = match text {
            Some(text) => Value::parse_line(text),
            None => Err(Error::new("line-too-long", reason)),
        };
        let result = line.as_ref().map_err(Error::clone).and_then(|line| self.request(line));
        let members = line.as_ref().map_or(&[][..], Value::members);
        let (members, is_sealed) = match &result {
            Ok(request) => (sealed(members, request), true),
            Err(error) => (refused(members, error, number), false),
        };
        (format!("{{{}}}\n", members.join(",")), is_sealed)
    }
}

fn sealed(members: &[Member<'_>], request: &CarrierRequest) -> Vec<String> {
    let payload = format!("\"payload\":{}", request.body);
    let mut result = Vec::new();
    for member in members {
        if member.name == "payload" {
            result.push(payload.clone());
        } else if !REPLACED.contains(&member.name.as_ref()) {
            result.push(copied(member.raw));
        }
    }
    if !result.contains(&payload) {
        result.push(payload);
    }
    let headers = request.headers.iter().map(|(name, value)| format!("{}:{}", quote(name), quote(value)));
    result.push(format!("\"headers\":{{{}}}", headers.collect::<Vec<_>>().join(",")));
    result
}

fn refused(members: &[Member<'_>], error: &Error, number: u64) -> Vec<String> {
    let is_kept = |member: &&Member<'_>| {
        let name = member.name.as_ref();
        !REPLACED.contains(&name) && !DROPPED.contains(&name)
    };
    let mut result: Vec<String> = Vec::new();
    if !is_private_key(members) {
        result.extend(members.iter().filter(is_kept).map(|member| copied(member.raw)));
    }
    let (code, reason) = (quote(error.code()), quote(error.reason()));
    result.push(format!("\"line\":{number},\"error\":{{\"code\":{code},\"reason\":{reason}}}"));
    result
}

/// Reports whether a line is a private JWK by mistake, so that no answer may repeat it.
fn is_private_key(members: &[Member<'_>]) -> bool {
    let has_text = |name| members.iter().any(|member| member.name == name && member.value.text().is_some());
    has_text("d") && (has_text("kty") || has_text("crv"))
}

/// Returns a member with one space between tokens, because a carriage return there ends a line for some readers.
fn copied(member: &str) -> String {
    let mut result = String::with_capacity(member.len());
    let (mut is_quoted, mut is_escaped, mut is_after_space) = (false, false, false);
    for character in member.chars() {
        let is_space = !is_quoted && matches!(character, ' ' | '\t' | '\n' | '\r');
        if character == '"' && !is_escaped {
            is_quoted = !is_quoted;
        }
        is_escaped = is_quoted && character == '\\' && !is_escaped;
        if !is_space {
            result.push(character);
        } else if !is_after_space {
            result.push(' ');
        }
        is_after_space = is_space;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::copied;

    #[test]
    fn copies_have_one_space_between_tokens() {
        assert_eq!(copied("\"a \\\" \r\" : [ 1,\t\r\n2\t] "), "\"a \\\" \r\" : [ 1, 2 ] ");
    }
}
