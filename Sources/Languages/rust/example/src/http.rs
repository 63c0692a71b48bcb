//! A minimal server of HTTP/1.1 with one request for each connection. Use your framework in production.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MAXIMUM_HEAD: u64 = 16_384;
const MAXIMUM_BODY: u64 = 65_536;
const TIMEOUT: Duration = Duration::from_secs(30);
const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

pub struct Request {
    pub method: String,
    pub path: String,
    pub authorization: Option<String>,
    pub body: Vec<u8>,
}

pub struct Answer {
    status: u16,
    body: String,
}

impl Answer {
    pub fn empty(status: u16) -> Answer {
        Answer { status, body: String::new() }
    }

    pub fn json(status: u16, body: &str) -> Answer {
        Answer { status, body: body.to_string() }
    }
}

/// Answers the request of a connection.
pub fn serve(mut stream: TcpStream, answer: impl Fn(&Request) -> Answer) -> Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let Answer { status, body } = match read(&stream) {
        Ok(Some(request)) => answer(&request),
        Ok(None) => return Ok(()), // The client has sent nothing.
        Err(error) if error.kind() == ErrorKind::InvalidData => Answer::empty(400),
        Err(error) => return Err(error),
    };
    let (length, date) = (body.len(), date(SystemTime::now()));
    let head = format!("HTTP/1.1 {status} Answer\r\nDate: {date}\r\nContent-Length: {length}");
    write!(stream, "{head}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{body}")
}

fn invalid() -> Error {
    Error::from(ErrorKind::InvalidData)
}

/// Reads a request whose body has a length.
fn read(stream: &TcpStream) -> Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    let mut limited = (&mut reader).take(MAXIMUM_HEAD);
    while !head.ends_with(b"\r\n\r\n") {
        if limited.read_until(b'\n', &mut head)? == 0 {
            return if head.is_empty() { Ok(None) } else { Err(invalid()) };
        }
    }
    let head = String::from_utf8(head).map_err(|_| invalid())?;
    let mut lines = head.split("\r\n");
    let words: Vec<&str> = lines.next().unwrap_or("").split(' ').collect();
    let fields: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
    let field = |name| fields.iter().find(|(each, _)| each.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
    let length = field("Content-Length").unwrap_or("0").parse().map_err(|_| invalid())?;
    if words.len() != 3 || field("Transfer-Encoding").is_some() || length > MAXIMUM_BODY {
        return Err(invalid());
    }
    let mut body = Vec::new();
    if reader.take(length).read_to_end(&mut body)? as u64 != length {
        return Err(invalid());
    }
    let authorization = field("Authorization").map(str::to_string);
    Ok(Some(Request { method: words[0].to_string(), path: words[1].to_string(), authorization, body }))
}

/// Returns a date for the header `Date`, such as `Thu, 01 Jan 1970 00:00:00 GMT`.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let mut rest = seconds / 86_400;
    let weekday = DAYS[(rest % 7) as usize];
    let mut year = 1970;
    let is_leap = |year: u64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= lengths[month] {
        rest -= lengths[month];
        month += 1;
    }
    let (day, name) = (rest + 1, MONTHS[month]);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{weekday}, {day:02} {name} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_leap_days() {
        let text = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(text(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(text(1_709_210_096), "Thu, 29 Feb 2024 12:34:56 GMT");
        assert_eq!(text(1_767_225_599), "Wed, 31 Dec 2025 23:59:59 GMT");
    }
}
