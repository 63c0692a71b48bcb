//! Runs the test vectors with the installed package: `pushcrypt-check [--version | FILE]`.

use pushcrypt::check;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const SHOWN_FAILURES: usize = 20;

fn run(path: &Path) -> Result<bool, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{error}. Give their file."))?;
    let summary = check::run(&text).map_err(|error| error.to_string())?;
    for name in summary.failed.iter().take(SHOWN_FAILURES) {
        println!("failed: {name}");
    }
    let (passed, failed) = (summary.passed, summary.failed.len());
    println!("pushcrypt {}: {passed} vectors passed, {failed} failed", pushcrypt::VERSION);
    Ok(failed == 0)
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let path = match arguments.as_slice() {
        [] => Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors.jsonl"),
        [option] if option == "--version" => {
            println!("{}", pushcrypt::VERSION);
            return ExitCode::SUCCESS;
        }
        [path] if !path.to_string_lossy().starts_with('-') => PathBuf::from(path),
        _ => {
            eprintln!("usage: pushcrypt-check [--version | FILE]");
            return ExitCode::from(64);
        }
    };
    match run(&path) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("error: The vectors can't be read: {problem}");
            ExitCode::FAILURE
        }
    }
}
