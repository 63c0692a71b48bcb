//! Answers requests of Tests/Interop/run with the Rust crate.

use pushcrypt::check::{answer, array, carrier_answer, headers, Answer, Request, Settings};
use pushcrypt::json::quote;
use pushcrypt::{Result, Sealer, SigningKey, SigningKeyring};
use std::fmt::Debug;
use std::io::{BufRead, Write};

fn printed(value: &dyn Debug) -> [String; 2] {
    [format!("{value:?}"), format!("{value:#?}")]
}

fn print(request: &Request<'_>) -> Result<Answer> {
    let key = SigningKey::parse(request.text("text").as_bytes())?;
    let mut texts = vec![key.to_string()];
    texts.extend(printed(&key));
    let keyring = SigningKeyring::from(key);
    texts.extend(printed(&keyring));
    texts.extend(printed(&Sealer::signed(keyring)));
    Ok(vec![("texts", array(texts))])
}

fn keyring(request: &Request<'_>) -> Result<Answer> {
    let keyring = SigningKeyring::read(request.text("text"))?;
    Ok(vec![("thumbprint", quote(&keyring.key_for(None)?.thumbprint()))])
}

fn carrier_seal(request: &Request<'_>) -> Result<Answer> {
    let Settings { sealer, recipient, options } = Settings::new(request)?;
    let push = sealer.seal(request.text("payload").as_bytes(), &recipient, &options)?;
    let mut answer = carrier_answer(&push, request)?;
    answer.push(("payload", quote(&push.payload)));
    answer.push(("apns_headers", headers(&push.headers)));
    answer.push(("issued_at_ms", push.issued_at_ms.to_string()));
    Ok(answer)
}

fn message(request: &Request<'_>) -> Result<Answer> {
    let Settings { mut sealer, recipient, options } = Settings::new(request)?;
    if let Some(path) = request.optional("keyring") {
        sealer = Sealer::signed(SigningKeyring::read(path)?);
    }
    let push = sealer.seal(request.text("payload").as_bytes(), &recipient, &options)?;
    Ok(vec![("payload", quote(&push.payload)), ("headers", headers(&push.headers))])
}

fn act(request: &Request<'_>) -> Option<Result<Answer>> {
    match request.text("do") {
        "print" => Some(print(request)),
        "keyring" => Some(keyring(request)),
        "message" => Some(message(request)),
        "carrier-seal" => Some(carrier_seal(request)),
        _ => None,
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        writeln!(output, "{}", answer(&line?, act)?)?;
    }
    Ok(())
}
