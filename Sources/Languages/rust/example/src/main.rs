//! A server that registers devices, and seals messages for them in a job.
//!
//! ```sh
//! ACCESS_TOKENS='{"a long random text":"anna"}' KEYRING=server.jwks PORT=8080 cargo run
//! ```
//!
//! `POST /devices` and `POST /messages` have the header `Authorization: Bearer TOKEN`.

mod access;
mod devices;
mod http;
mod jobs;

use access::Users;
use devices::Devices;
use http::{Answer, Request};
use jobs::{Jobs, Message};
use pushcrypt::json::{quote, Value};
use pushcrypt::{Sealer, SigningKeyring};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

struct Server {
    users: Users,
    devices: Arc<Devices>,
    jobs: Jobs,
}

impl Server {
    fn answer(&self, request: &Request) -> Answer {
        let user = match self.users.signed_in(request.authorization.as_deref()) {
            Some(user) => user,
            None => return Answer::empty(401),
        };
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/devices") => self.register(user, &request.body),
            ("POST", "/messages") => self.post(user, &request.body),
            (_, "/devices" | "/messages") => Answer::empty(405),
            _ => Answer::empty(404),
        }
    }

    /// Stores the row of a device. Each answer has the header `Date`.
    fn register(&self, user: &str, body: &[u8]) -> Answer {
        let object = Value::parse_object(body).ok();
        let text = |name| object.as_ref().and_then(|object| object.get(name)).and_then(Value::text);
        let (registration, token) = match (text("registration"), text("token")) {
            (Some(registration), Some(token)) => (registration, token), // The registration stays text.
            _ => return Answer::json(400, r#"{"code":"malformed-registration"}"#),
        };
        match self.devices.register(user, token, registration.as_bytes()) {
            Ok(row) => Answer::json(200, &format!(r#"{{"lists":[],"token":{}}}"#, quote(&row.device_token))),
            Err(error) => match error.generation() {
                Some(generation) => Answer::json(409, &format!(r#"{{"generation":{generation}}}"#)),
                None => Answer::json(400, &format!(r#"{{"code":{}}}"#, quote(error.code()))),
            },
        }
    }

    /// Adds a job that seals a payload for the user's devices.
    fn post(&self, user: &str, payload: &[u8]) -> Answer {
        let message = Message { user: user.to_string(), payload: payload.to_vec() };
        Answer::empty(if self.jobs.add(message) { 202 } else { 503 })
    }
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|error| format!("{name}: {error}. Set it."))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sealer = Sealer::signed(SigningKeyring::read(variable("KEYRING")?)?);
    let devices = Arc::new(Devices::default());
    let server = Arc::new(Server {
        users: Users::parse(&variable("ACCESS_TOKENS")?)?,
        jobs: Jobs::start(devices.clone(), sealer),
        devices,
    });
    let port: u16 = variable("PORT")?.parse()?;
    for stream in TcpListener::bind(("127.0.0.1", port))?.incoming() {
        let (stream, server) = (stream?, server.clone());
        thread::spawn(move || {
            if let Err(error) = http::serve(stream, |request| server.answer(request)) {
                eprintln!("a connection: {error}");
            }
        });
    }
    Ok(())
}
