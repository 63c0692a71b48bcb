//! Opens one sealed payload for each line of its input. It is made for tests.

use pushcrypt::check::{object, open_answer};
use pushcrypt::json::{quote, Value};
use pushcrypt::{Error, Result};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

fn answer(line: &[u8]) -> String {
    let opened: Result<_> = Value::parse_line(line).and_then(|line| open_answer(&line));
    let failure = |error: Error| vec![("fails", quote(error.code()))];
    object(&opened.unwrap_or_else(failure))
}

fn run() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        output.write_all((answer(&line?) + "\n").as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("open: error: {error}");
            ExitCode::FAILURE
        }
    }
}
