use crate::sodium;
use std::fmt::Write;

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns valid JSON without the white space between its tokens.
pub(crate) fn compact(json: &str) -> String {
    let mut result = Vec::with_capacity(json.len());
    let (mut is_quoted, mut is_escaped) = (false, false);
    for &byte in json.as_bytes() {
        if !is_quoted && is_space(byte) {
            continue;
        }
        if byte == b'"' && !is_escaped {
            is_quoted = !is_quoted;
        }
        is_escaped = is_quoted && byte == b'\\' && !is_escaped;
        result.push(byte);
    }
    // ASCII was removed from UTF-8, so the rest is UTF-8.
    String::from_utf8(result).unwrap_or_default()
}

/// Returns a text as a JSON string, with the fewest escapes.
pub fn quote(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\u{8}' => result.push_str("\\b"),
            '\t' => result.push_str("\\t"),
            '\n' => result.push_str("\\n"),
            '\u{c}' => result.push_str("\\f"),
            '\r' => result.push_str("\\r"),
            '\0'..='\u{1f}' => {
                let _ = write!(result, "\\u{:04x}", character as u32); // Writing into a string doesn't fail.
            }
            _ => result.push(character),
        }
    }
    result.push('"');
    result
}

pub(crate) fn is_visible(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| (b'!'..=b'~').contains(&byte))
}

pub(crate) fn is_collapse_id(text: &str) -> bool {
    is_visible(text) && text.len() <= 64
}

/// Returns the bytes of strict base64url, or `None`.
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = vec![0; text.len()];
    let length = sodium::decode_base64(text, &mut bytes)?;
    bytes.truncate(length);
    Some(bytes)
}

/// Reports whether a text is 32 bytes in strict base64url.
pub(crate) fn is_thumbprint(text: &str) -> bool {
    sodium::decode_base64(text, &mut [0; 32]) == Some(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_stays_in_strings_only() {
        assert_eq!(compact("{ \"a b\\\" \" :\t[1 ,\r\n\"\\\\\" , 2] }"), "{\"a b\\\" \":[1,\"\\\\\",2]}");
    }

    #[test]
    fn strings_have_the_fewest_escapes() {
        assert_eq!(
            quote("\"\\\u{8}\t\n\u{c}\r\u{1f}\0/\u{7f}\u{2028}ä"),
            "\"\\\"\\\\\\b\\t\\n\\f\\r\\u001f\\u0000/\u{7f}\u{2028}ä\""
        );
    }

    #[test]
    fn base64_is_strict() {
        assert_eq!(decode_base64("AA"), Some(vec![0]));
        assert_eq!(decode_base64(""), Some(vec![]));
        for text in ["AA==", "AB", "A", "AAAAA", "A+/A", "AA\n", "AA\0", " AA", "ÄÄ", "AA\u{a0}", "Ａ"] {
            assert_eq!(decode_base64(text), None, "{text}");
        }
    }
}
