use crate::json::Value;

fn is_valid(text: &str) -> bool {
    Value::parse_object(text.as_bytes()).is_ok()
}

#[test]
fn only_strict_json_is_valid() {
    for text in [r#"{}"#, " {\"a\":[1,-0.5e+7,null,{\"b\":\"\\ud83d\\ude00\\u0000\"}]} ", r#"{"":true,"a":false}"#] {
        assert!(is_valid(text), "{text}");
    }
    for text in [
        "",
        "[]",
        "{",
        "{}}",
        r#"{"a":1,}"#,
        r#"{"a":01}"#,
        r#"{"a":+1}"#,
        r#"{"a":.5}"#,
        r#"{"a":1.}"#,
        r#"{"a":1e}"#,
        r#"{"a":-}"#,
        r#"{"a":NaN}"#,
        r#"{"a":"\x"}"#,
        r#"{"a":"\u12G4"}"#,
        r#"{"a":"\ud83d"}"#,
        r#"{"a":"\ude00\ud83d"}"#,
        r#"{"a":"\ud83d\u0041"}"#,
        r#"{"a":"\u+123"}"#,
        r#"{"a":"#,
        r#"{"a""#,
        r#"{"a":"\u12"#,
        r#"{"a":"\"#,
        "{\"a\":\"\u{1}\"}",
        "\u{feff}{}",
        r#"{"a":1,"\u0061":2}"#,
        "{\"a\":tru}",
        r#"{"a":[1}"#,
        r#"{1:2}"#,
        "{}\0",
        "{\0}",
    ] {
        assert!(!is_valid(text), "{text}");
    }
}

#[test]
fn objects_have_at_most_64_levels() {
    let nested = |depth: usize| "{\"a\":".repeat(depth - 1) + "{}" + &"}".repeat(depth - 1);
    assert!(is_valid(&nested(64)) && !is_valid(&nested(65)) && !is_valid(&"{\"a\":".repeat(100_000)));
}

#[test]
fn escapes_are_resolved() {
    let value = Value::parse_object(br#"{"\u0061\"\\\/\b\f\n\r\t":"x\ud83d\udc4by"}"#).unwrap();
    assert_eq!(value.members()[0].name, "a\"\\/\u{8}\u{c}\n\r\t");
    assert_eq!(value.members()[0].value.text(), Some("x👋y"));
}
