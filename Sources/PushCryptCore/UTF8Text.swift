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
/// A type of your own can be text, too: its one requirement returns the bytes.
public protocol UTF8Text {
    /// The text in UTF-8.
    ///
    /// Its name is long, because each string and each array of bytes has it.
    var bytesForPushCrypt: [UInt8] { get }
}

extension String: UTF8Text {
    /// The text in UTF-8.
    public var bytesForPushCrypt: [UInt8] { Array(utf8) }
}

extension Substring: UTF8Text {
    /// The text in UTF-8.
    public var bytesForPushCrypt: [UInt8] { Array(utf8) }
}

extension [UInt8]: UTF8Text {
    /// The bytes themselves.
    public var bytesForPushCrypt: [UInt8] { self }
}

extension Data: UTF8Text {
    /// The bytes of the data.
    public var bytesForPushCrypt: [UInt8] { Array(self) }
}

extension ArraySlice<UInt8>: UTF8Text {
    /// The bytes of the slice.
    public var bytesForPushCrypt: [UInt8] { Array(self) }
}

extension String.UTF8View: UTF8Text {
    /// The bytes of the text.
    public var bytesForPushCrypt: [UInt8] { Array(self) }
}

extension Substring.UTF8View: UTF8Text {
    /// The bytes of the text.
    public var bytesForPushCrypt: [UInt8] { Array(self) }
}
