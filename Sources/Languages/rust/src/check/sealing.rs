use super::{bytes, object, Answer, Request};
use crate::error::{Error, Result};
use crate::json::{quote, Value};
use crate::keys::{RecipientKey, SigningKey};
use crate::seal::{self, Push, Sealer, Source};
use crate::{padding, sodium, Options, Padding, Placeholder, PushType, Recipient};

/// The fixed values of a vector. Each message needs one of both.
struct Fixed {
    now_ms: u64,
    message_ids: Vec<[u8; 16]>,
    ephemeral_secrets: Vec<[u8; 32]>,
}

impl Source for Fixed {
    fn now_ms(&self) -> Result<u64> {
        Ok(self.now_ms)
    }

    fn message_id(&mut self) -> [u8; 16] {
        self.message_ids.remove(0)
    }

    fn seal_box(&mut self, message: &[u8], to: &RecipientKey) -> Option<Vec<u8>> {
        let ephemeral = self.ephemeral_secrets.remove(0);
        sodium::seal_box_with(&ephemeral, message, to.bytes())
    }
}

/// The sealer, the recipient and the options of a request.
pub struct Settings {
    /// The sealer.
    pub sealer: Sealer,
    /// The recipient.
    pub recipient: Recipient,
    /// The options.
    pub options: Options,
}

impl Settings {
    /// Reads the settings of a request to seal.
    pub fn new(request: &Request<'_>) -> Result<Self> {
        let sealer = match request.0.get("sender") {
            Some(sender) if !sender.is_null() => Sealer::signed(SigningKey::parse(sender.raw.as_bytes())?),
            _ => Sealer::anonymous(),
        };
        let recipient = match request.row()? {
            Some(row) => row.recipient(),
            None => Recipient::parse(request.text("to").as_bytes())?,
        };
        Ok(Settings { sealer, recipient, options: options(request)? })
    }
}

/// Returns an integer of an option. One that doesn't fit becomes zero, which is never valid.
fn small<T: TryFrom<u64> + Default>(value: &Value<'_>) -> T {
    value.integer(0, u64::MAX).and_then(|number| number.try_into().ok()).unwrap_or_default()
}

fn options(request: &Request<'_>) -> Result<Options> {
    let mut options = Options::default();
    if let Some(name) = request.optional("type") {
        options.push_type = name.parse()?;
    }
    if let Some(name) = request.optional("padding") {
        options.padding = name.parse()?;
    }
    if let Some(value) = request.0.get("lifetime_s") {
        options.lifetime = small(value);
    }
    if let Some(value) = request.0.get("placeholder") {
        options.placeholder = Placeholder::read(value)?;
    }
    options.expose = request.texts("expose").iter().map(|name| name.parse()).collect::<Result<_>>()?;
    options.topic = request.optional("topic").map(str::to_string);
    options.collapse_id = request.optional("collapse_id").map(str::to_string);
    options.priority = request.0.get("priority").map(small);
    options.carrier = request.carrier();
    Ok(options)
}

/// Returns the request to the carrier of a push.
pub fn carrier_answer(push: &Push, request: &Request<'_>) -> Result<Answer> {
    let result = push.request(request.text("token"), request.optional("app_id"))?;
    Ok(vec![("body", quote(&result.body)), ("headers", headers(&result.headers))])
}

/// Returns headers as an object in JSON.
pub fn headers(fields: &[(String, String)]) -> String {
    let members: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), quote(value))).collect();
    object(&members)
}

impl Request<'_> {
    fn fixed(&self) -> Result<Fixed> {
        Ok(Fixed {
            now_ms: self.required_integer("now_ms")?,
            message_ids: self.texts("message_ids").iter().map(|text| bytes(text)).collect::<Result<_>>()?,
            ephemeral_secrets: self.texts("ephemeral_secrets").iter().map(|text| bytes(text)).collect::<Result<_>>()?,
        })
    }

    pub(super) fn seal(&self) -> Result<Answer> {
        let Settings { sealer, recipient, options } = Settings::new(self)?;
        let payload = self.text("payload").as_bytes();
        let push = sealer.seal_from(payload, &recipient, &options, &mut self.fixed()?)?;
        Ok(vec![("payload", quote(&push.payload)), ("headers", headers(&push.headers))])
    }

    pub(super) fn pad(&self) -> Result<Answer> {
        let is_signed = self.0.get("sender").map_or(false, |sender| !sender.is_null());
        let overhead = if is_signed { 104 } else { 32 };
        let lengths = self.items("lengths").iter().filter_map(|length| length.integer(0, 1 << 32));
        let needed: Vec<i64> = lengths.map(|length| length as i64 + overhead).collect();
        let room = self.required_integer("maximum")? as i64 - self.required_integer("frame")? as i64;
        let padded = padding::lengths(&needed, room, self.text("padding").parse()?)?;
        let texts: Vec<_> = padded.iter().map(i64::to_string).collect();
        Ok(vec![("padded", format!("[{}]", texts.join(",")))])
    }

    pub(super) fn carrier_request(&self) -> Result<Answer> {
        let fields = self.0.get("apns_headers").map_or(&[][..], Value::members);
        let header = |value: &Value<'_>| value.text().unwrap_or("").to_string();
        let push = Push {
            payload: self.text("payload").to_string(),
            headers: fields.iter().map(|member| (member.name.to_string(), header(&member.value))).collect(),
            carrier: self.carrier(),
            issued_at_ms: self.required_integer("issued_at_ms")?,
        };
        carrier_answer(&push, self)
    }

    pub(super) fn limit(&self) -> Result<Answer> {
        let push_type: PushType = self.text("type").parse()?;
        self.carrier().check_type(push_type)?;
        let frame = self.required_integer("frame")? as i64;
        let longest = padding::lengths(&[0], self.carrier().room(push_type, frame), Padding::Maximum)?;
        let longest = longest.first().ok_or_else(|| Error::new("payload-too-large", "There is no message."))?;
        Ok(vec![("longest", longest.to_string())])
    }

    pub(super) fn apns_id(&self) -> Result<Answer> {
        Ok(vec![("apns_id", quote(&seal::apns_id(&bytes(self.text("message_id"))?)))])
    }
}
