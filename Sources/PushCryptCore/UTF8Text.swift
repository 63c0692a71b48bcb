public import PushCryptFoundation

/// Text in UTF-8, as a string, as `Data` or as bytes.
///
/// Every parser of text that isn't secret takes one:
///
/// ```swift
/// try Payload(parsing: #"{"aps":{"alert":"Hello"}}"#)
/// try Payload(parsing: payload)
/// ```
///
/// The protocol has no members, so it adds none to the types of the standard library. It is for the types below: don't
/// conform others to it, because the parsers read them as empty text.
public protocol UTF8Text {}

extension String: UTF8Text {}
extension Substring: UTF8Text {}
extension [UInt8]: UTF8Text {}
extension Data: UTF8Text {}
extension ArraySlice<UInt8>: UTF8Text {}
extension String.UTF8View: UTF8Text {}
extension Substring.UTF8View: UTF8Text {}

extension UTF8Text {
    /// The bytes of the text.
    package var utf8Bytes: [UInt8] {
        switch self {
        case let bytes as [UInt8]: bytes
        case let text as String: Array(text.utf8)
        case let data as Data: Array(data)
        case let text as Substring: Array(text.utf8)
        case let bytes as ArraySlice<UInt8>: Array(bytes)
        case let bytes as String.UTF8View: Array(bytes)
        case let bytes as Substring.UTF8View: Array(bytes)
        default: []
        }
    }
}
