//! Seals the payload of each line of its input, which has one JSON object per line.

mod arguments;
mod filter;
mod lines;

use arguments::Setting;
use filter::Filter;
use lines::{Line, Lines};
use pushcrypt::{Sealer, SigningKeyring};
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAXIMUM_PAYLOAD: u64 = 1_048_576;
const USAGE: &str = "\
usage: pushcrypt-seal (--anonymous | --sign-with KEYRING) [--payload FILE] [--type TYPE] [--lifetime 7d]
                      [--padding buckets|maximum|none] [--expose KEYS] [--placeholder-body TEXT] [--topic TOPIC]
                      [--carrier NAME] [--app-id ID]";

/// Reads a payload for all lines. The file can be a device without an end.
fn read_payload(path: &str) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAXIMUM_PAYLOAD + 1).read_to_end(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > MAXIMUM_PAYLOAD {
        return Err("The payload has more than 1048576 bytes. Shorten it.".to_string());
    }
    Ok(text)
}

fn filter(setting: Setting) -> Result<Filter, String> {
    let sealer = match &setting.keyring {
        Some(path) => Sealer::signed(SigningKeyring::read(path).map_err(|error| error.to_string())?),
        None => Sealer::anonymous(),
    };
    let payload = setting.payload.as_deref().map(read_payload).transpose()?;
    Ok(Filter { sealer, options: setting.options, payload, app_id: setting.app_id })
}

/// Answers each line before it reads the next one. Reports whether all are sealed.
fn run(filter: &Filter) -> io::Result<bool> {
    let mut lines = Lines::new(io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut are_sealed = true;
    for number in 1_u64.. {
        let (answer, is_sealed) = match lines.next()? {
            Line::End => break,
            Line::TooLong => filter.answer(None, number),
            Line::Text(text) => filter.answer(Some(text), number),
        };
        are_sealed &= is_sealed;
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
    Ok(are_sealed)
}

fn failure(problem: impl std::fmt::Display) -> ExitCode {
    eprintln!("seal: error: {problem}");
    ExitCode::FAILURE
}

fn main() -> ExitCode {
    let words: Option<Vec<String>> = std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
    let setting = match words.and_then(|words| arguments::parse(&words)) {
        Some(arguments::Parsed::Help) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Some(arguments::Parsed::Setting(setting)) => *setting,
        None => {
            eprintln!("{USAGE}");
            return ExitCode::from(64);
        }
    };
    match filter(setting) {
        Err(problem) => failure(problem),
        Ok(filter) => match run(&filter) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(65),
            Err(error) => failure(error),
        },
    }
}
