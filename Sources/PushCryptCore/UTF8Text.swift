public import PushCryptFoundation

/// A text in UTF-8, as a string, as `Data` or as bytes.
///
/// Every parser of text that isn't secret takes one:
///
/// ```swift
/// try Payload(parsing: #"{"aps":{"alert":"Hello"}}"#)
/// try Payload(parsing: payload)
/// ```
///
/// Any other collection of bytes conforms with an empty extension.
public protocol UTF8Text {
    /// The bytes of the text.
    var utf8Bytes: [UInt8] { get }
}

extension UTF8Text where Self: Sequence<UInt8> {
    /// The bytes of the text.
    public var utf8Bytes: [UInt8] { Array(self) }
}

extension UTF8Text where Self: StringProtocol {
    /// The bytes of the string in UTF-8.
    public var utf8Bytes: [UInt8] { Array(utf8) }
}

extension String: UTF8Text {}
extension Substring: UTF8Text {}
extension [UInt8]: UTF8Text {}
extension Data: UTF8Text {}
extension ArraySlice<UInt8>: UTF8Text {}
extension String.UTF8View: UTF8Text {}
extension Substring.UTF8View: UTF8Text {}
