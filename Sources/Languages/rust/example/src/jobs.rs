use crate::devices::Devices;
use pushcrypt::json::quote;
use pushcrypt::{Options, Push, Sealer};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

const QUEUE_LENGTH: usize = 1000;

pub struct Message {
    pub user: String,
    pub payload: Vec<u8>,
}

/// The messages to seal. A queue in a database keeps them when the process ends.
pub struct Jobs(Mutex<SyncSender<Message>>);

impl Jobs {
    /// Starts the thread that seals.
    pub fn start(devices: Arc<Devices>, sealer: Sealer) -> Jobs {
        let (sender, messages) = sync_channel(QUEUE_LENGTH);
        thread::spawn(move || run(messages, &devices, &sealer));
        Jobs(Mutex::new(sender))
    }

    /// Returns `false` if the queue is full.
    pub fn add(&self, message: Message) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_send(message).is_ok()
    }
}

/// Seals each message for the devices of its user.
fn run(messages: Receiver<Message>, devices: &Devices, sealer: &Sealer) {
    let options = Options { topic: Some("com.example.app".to_string()), ..Options::default() };
    for message in messages {
        let rows = devices.of(&message.user).unwrap_or_else(|error| {
            eprintln!("the rows of {}: {error}", message.user);
            Vec::new()
        });
        for row in rows {
            match sealer.seal(&message.payload, &row.recipient(), &options) {
                Ok(push) => send(&row.device_token, &push),
                Err(error) => eprintln!("a device of {}: {error}", message.user), // Never send the payload itself.
            }
        }
    }
}

/// Prints a push. Replace it by your client of APNs, which posts the payload with the headers to /3/device/TOKEN.
fn send(token: &str, push: &Push) {
    let headers: Vec<_> =
        push.headers.iter().map(|(name, value)| format!("{}:{}", quote(name), quote(value))).collect();
    let (token, payload, headers) = (quote(token), quote(&push.payload), headers.join(","));
    println!(r#"{{"token":{token},"payload":{payload},"headers":{{{headers}}}}}"#);
}
