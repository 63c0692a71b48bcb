public import PushCryptCore
public import PushCryptPayload

/// The original payload, for an app that has got a push in any of the ways there are.
///
/// In the foreground (`willPresent`), on a tap (`didReceive`), in a content extension, with a background push or a VoIP
/// push: give it the dictionary at hand, opened by the extension or still sealed, and read the original.
public struct PayloadReader: Sendable {
    /// Where the payload comes from.
    public enum Origin: Sendable {
        /// It was sealed, and opened here and now, past all checks.
        case opened(OpenedPush)
        /// It was not sealed any more, or never was.
        case unsealed
    }

    /// Where the payload comes from.
    public let origin: Origin

    /// The original payload: one JSON object in UTF-8.
    ///
    /// Byte for byte as it was sealed, where it was opened here. Where the extension has opened it, the system has kept it
    /// as a dictionary, and this is that dictionary's JSON.
    public let json: [UInt8]

    let document: JSONDocument

    /// Reads a dictionary as the system hands it over.
    ///
    /// - Parameters:
    ///   - userInfo: `userInfo` of a notification's content, of a background push, or `dictionaryPayload` of a VoIP push.
    ///   - opener: opens what is sealed. Its replay guard is left out: the same message is read more than once, after the
    ///     extension, in the foreground and on a tap. Where a background or VoIP push must not be acted upon twice, open it
    ///     with ``Opener/open(userInfo:)`` and read that.
    ///   - unsealed: what to do with a payload that is not sealed.
    /// - Throws: ``PushCryptError`` with `notSealed` where it is refused, `typeMismatch` where it cannot be the payload of
    ///   a push, or why it does not open.
    public init(userInfo: [AnyHashable: Any], opener: Opener, unsealed: UnsealedPayloads) throws(PushCryptError) {
        if unsealed == .accept, userInfo[Envelope.payloadKey] == nil {
            try self.init(JSONText.encoded(JSONValue(userInfo: userInfo)), .unsealed)
        } else {
            try self.init(opener.withoutReplayGuard.open(userInfo: userInfo))
        }
    }

    /// Reads a payload that is at hand as JSON.
    ///
    /// - Parameters:
    ///   - json: the payload in UTF-8.
    ///   - opener: opens what is sealed; without its replay guard.
    ///   - unsealed: what to do with a payload that is not sealed.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `notSealed`, or why it does not open.
    public init(json: [UInt8], opener: Opener, unsealed: UnsealedPayloads) throws(PushCryptError) {
        if unsealed == .accept, try JSONDocument(scanning: json.span).member(Envelope.payloadKey, in: json.span) == nil
        {
            try self.init(json, .unsealed)
        } else {
            try self.init(opener.withoutReplayGuard.open(json: json))
        }
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameters:
    ///   - json: the payload in UTF-8.
    ///   - opener: opens what is sealed; without its replay guard.
    ///   - unsealed: what to do with a payload that is not sealed.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public init(
        json: some Collection<UInt8>, opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        try self.init(json: Array(json), opener: opener, unsealed: unsealed)
    }

    /// Reads a message that was opened.
    ///
    /// - Parameter push: the message.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, which an opened message never is.
    public init(_ push: OpenedPush) throws(PushCryptError) {
        try self.init(push.payload, .opened(push))
    }

    private init(_ json: [UInt8], _ origin: Origin) throws(PushCryptError) {
        document = try JSONDocument(scanning: json.span)
        self.json = json
        self.origin = origin
    }

    /// Whether the payload was opened here and now, so that it comes from an accepted sender.
    public var isOpened: Bool {
        if case .opened = origin { true } else { false }
    }

    /// The payload, typed.
    ///
    /// - Returns: the payload.
    /// - Throws: ``PushCryptError`` with `typeMismatch` and the place of a member that is not of Apple's type.
    public func payload() throws(PushCryptError) -> Payload {
        try Payload(parsing: json)
    }

    /// What a notification of this payload shows.
    ///
    /// - Parameter strings: the app's string table.
    /// - Returns: the content, without what an extension may have added.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, which a payload that was read never is.
    public func content(strings: (any StringTable)? = nil) throws(PushCryptError) -> NotificationContent {
        let members = try JSONValue(forDisplay: json).objectValue ?? [:]
        return NotificationContent().replaced(by: members, strings: strings)
    }
}

extension PayloadReader: CustomStringConvertible, CustomReflectable {
    /// Where the payload comes from and how long it is, nothing of its content.
    public var description: String {
        "PayloadReader of \(json.count) bytes, \(isOpened ? "opened" : "unsealed")"
    }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Opener {
    /// The same opener for messages that may be opened again.
    var withoutReplayGuard: Opener {
        var opener = self
        opener.replayGuard = nil
        return opener
    }
}
