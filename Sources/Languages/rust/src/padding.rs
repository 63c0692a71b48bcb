use crate::error::{Error, Result};
use crate::names::Padding;

const BUCKETS: [i64; 4] = [256, 512, 1024, 2048];
/// The bytes by which an envelope is longer than its message.
const ENVELOPE_OVERHEAD: i64 = 57;

/// Returns the longest message for a number of characters.
fn limit(characters: i64) -> i64 {
    characters * 3 / 4 - ENVELOPE_OVERHEAD
}

fn characters(length: i64) -> i64 {
    ((ENVELOPE_OVERHEAD + length) * 4 + 2) / 3
}

/// Returns the length of each of one or two messages. Together they have room for a number of characters.
pub(crate) fn lengths(needed: &[i64], room: i64, padding: Padding) -> Result<Vec<i64>> {
    let excess = needed.iter().map(|&length| characters(length)).sum::<i64>() - room;
    if excess > 0 {
        let reason = format!("The sealed payload has {excess} bytes too many. Shorten the payload.");
        return Err(Error::new("payload-too-large", reason));
    }
    Ok(match *needed {
        [first, second] => pair(first, second, room, padding).to_vec(),
        _ => needed.iter().map(|&length| padded(length, limit(room), padding)).collect(),
    })
}

fn pair(first: i64, second: i64, room: i64, padding: Padding) -> [i64; 2] {
    let half = limit(room / 2);
    if first.max(second) <= half {
        return [padded(first, half, padding), padded(second, half, padding)];
    }
    let (small, large) = (first.min(second), first.max(second));
    let first_padding = if padding == Padding::Maximum { Padding::Buckets } else { padding };
    let small = padded(small, limit(room - characters(large)), first_padding);
    let large = padded(large, limit(room - characters(small)), padding);
    if first > second {
        return [large, small];
    }
    [small, large]
}

fn padded(needed: i64, limit: i64, padding: Padding) -> i64 {
    let buckets = match padding {
        Padding::None => return needed,
        Padding::Maximum => &[][..],
        Padding::Buckets => &BUCKETS[..],
    };
    let fitting = buckets.iter().copied().find(|&bucket| needed <= bucket && bucket <= limit);
    fitting.unwrap_or(limit)
}
