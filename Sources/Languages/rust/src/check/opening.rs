use super::{object, Answer};
use crate::error::{Error, Result};
use crate::json::{quote, Value};
use crate::sodium;
use crate::{Accept, Account, DeviceKey, Kind, Opened, Receiver, SignerRoots, VerificationKey};

fn keys(value: Option<&Value<'_>>) -> Result<Vec<VerificationKey>> {
    let items = value.map_or(&[][..], Value::items);
    items.iter().map(|jwk| VerificationKey::parse(jwk.raw.as_bytes())).collect()
}

/// Returns the accepted senders: anyone, `signed_by`, or those of `roots`, `audience` and `lists`.
fn accept(value: &Value<'_>) -> Result<Accept> {
    if value.get("anyone").map_or(false, |anyone| anyone.raw == "true") {
        return Ok(Accept::Anyone);
    }
    if value.get("roots").is_none() {
        return Ok(Accept::SignedBy(keys(value.get("signed_by"))?));
    }
    let audience = value.get("audience").and_then(Value::text).map(str::to_string);
    let roots = SignerRoots { keys: keys(value.get("roots"))?, audience };
    let lists = value.get("lists").map_or(&[][..], Value::items);
    let lists: Vec<String> = lists.iter().filter_map(Value::text).map(str::to_string).collect();
    Ok(Accept::SignedBy(roots.accepted_keys(&lists)?))
}

fn account(value: &Value<'_>) -> Result<Account> {
    let jwks = value.get("keys").map_or(&[][..], Value::items);
    let name = value.get("name").and_then(Value::text).unwrap_or("").to_string();
    let keys = jwks.iter().map(|jwk| DeviceKey::parse(jwk.raw.as_bytes())).collect::<Result<_>>()?;
    let reason = "An account has no \"accept\". Add it.";
    let accepted = value.get("accept").ok_or_else(|| Error::new("invalid-configuration", reason))?;
    Ok(Account { name, keys, accept: accept(accepted)? })
}

/// Returns the receiver of a line.
pub fn receiver(line: &Value<'_>) -> Result<Receiver> {
    let kinds = line.get("kinds").map_or(&[][..], Value::items);
    let kinds = kinds.iter().filter_map(Value::text).map(str::parse::<Kind>).collect::<Result<_>>()?;
    let accounts = line.get("accounts").map_or(&[][..], Value::items);
    Ok(Receiver { accounts: accounts.iter().map(account).collect::<Result<_>>()?, kinds, guard: None })
}

fn open(line: &Value<'_>) -> Result<Opened> {
    let receiver = receiver(line)?;
    let now = line.get("now_ms").and_then(|now| now.integer(0, u64::MAX));
    let now = now.ok_or_else(|| Error::new("invalid-configuration", "\"now_ms\" isn't an integer."))?;
    match line.get("userInfo-value") {
        Some(value) => {
            let reason = "ENCRYPTED_DATA isn't a string. Seal the payload again.";
            let text = value.text().ok_or_else(|| Error::new("malformed-envelope", reason))?;
            receiver.open_text(text, now)
        }
        None => receiver.open(line.get("payload").and_then(Value::text).unwrap_or("").as_bytes(), now),
    }
}

/// Returns the answer to a line of the command `open`.
pub fn answer(line: &Value<'_>) -> Result<Answer> {
    let opened = open(line)?;
    let opens = object(&[
        ("original", quote(&opened.original)),
        ("kind", quote(opened.kind.name())),
        ("account", quote(&opened.account)),
        ("signer", opened.signer.as_deref().map_or_else(|| "null".to_string(), quote)),
        ("message_id", quote(&sodium::encode_base64(&opened.message_id))),
        ("issued_at_ms", opened.issued_at_ms.to_string()),
        ("lifetime_s", opened.lifetime.to_string()),
    ]);
    Ok(vec![("opens", opens)])
}
