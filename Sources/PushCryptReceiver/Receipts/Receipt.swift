internal import PushCryptCore

/// The extension's statement about a notification that it has handed over, in `userInfo` under
/// `pushcrypt.receipt`.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | version, 1 |
/// | 1 | 1 | the displayed state |
/// | 2 | 1 | 1 if a replay guard has admitted the message, otherwise 0 |
/// | 3 | 16 | message ID |
/// | 19 | 32 | digest of the displayed text |
/// | 51 | 32 | MAC |
struct Receipt: Sendable, Hashable {
    /// The number of bytes.
    static let length = macStart + macLength

    private static let version: UInt8 = 1
    private static let digestStart = 3 + MessageID.length
    private static let macStart = digestStart + DisplayedText.digestLength
    private static let macLength = 32

    let state: DisplayedState
    /// A Boolean value that indicates whether a replay guard has admitted the message.
    let isGuarded: Bool
    let messageID: MessageID
    /// The digest of the displayed text.
    let textDigest: [UInt8]

    /// The bytes before the MAC.
    private var statement: [UInt8] {
        var bytes: [UInt8] = []
        // Room for the MAC, too.
        bytes.reserveCapacity(Self.length)
        bytes.append(Self.version)
        bytes.append(state.code)
        bytes.append(isGuarded ? 1 : 0)
        bytes.append(contentsOf: messageID.bytes)
        bytes.append(contentsOf: textDigest)
        return bytes
    }

    /// Returns the receipt in base64url, with a MAC that binds it to its notification.
    func encoded(for place: ReceiptPlace, _ key: SecretBytes) throws(PushCryptError) -> String {
        var bytes = statement
        bytes.append(contentsOf: try place.mac(of: bytes, key))
        return Base64URL.encode(bytes)
    }

    /// Returns the receipt of an extension that has no key: its state is
    /// ``DisplayedState/unknown``, and its MAC zeros.
    func encodedWithoutKey() -> String {
        let unknown = Receipt(
            state: .unknown, isGuarded: isGuarded, messageID: messageID, textDigest: textDigest)
        return Base64URL.encode(unknown.statement + [UInt8](repeating: 0, count: Self.macLength))
    }

    /// Reads the bytes of a receipt, which nothing proves yet.
    init?(parsing text: String) {
        guard let bytes = try? Base64URL.decode(Array(text.utf8).span), bytes.count == Self.length,
            bytes[0] == Self.version, bytes[2] <= 1,
            let id = try? MessageID(Array(bytes[3..<Self.digestStart])),
            let state = (DisplayedState.proved + [.unknown]).first(where: { $0.code == bytes[1] })
        else { return nil }
        self.state = state
        isGuarded = bytes[2] == 1
        messageID = id
        textDigest = Array(bytes[Self.digestStart..<Self.macStart])
        mac = Array(bytes[Self.macStart...])
    }

    init(state: DisplayedState, isGuarded: Bool, messageID: MessageID, textDigest: [UInt8]) {
        self.state = state
        self.isGuarded = isGuarded
        self.messageID = messageID
        self.textDigest = textDigest
        mac = []
    }

    /// The MAC of a parsed receipt.
    private let mac: [UInt8]

    /// Returns a Boolean value that indicates whether this device's extension wrote the receipt for
    /// a notification.
    func isProved(for place: ReceiptPlace, _ key: SecretBytes) -> Bool {
        guard DisplayedState.proved.contains(state),
            let expected = try? place.mac(of: statement, key)
        else {
            return false
        }
        return ConstantTime.isEqual(expected, mac)
    }
}

/// The notification to which a receipt is bound.
struct ReceiptPlace: Sendable {
    /// The digest of the sealed text, or of the opened payload.
    let source: [UInt8]
    /// The identifier of the request.
    let identifier: String
    /// The name of the account.
    let account: String

    private static let context = Array("pushcrypt/v1/receipt".utf8) + [0]

    func mac(of statement: [UInt8], _ key: SecretBytes) throws(PushCryptError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(contentsOf: Self.context)
        bytes.append(contentsOf: statement)
        bytes.append(contentsOf: source)
        bytes.append(withLength: identifier)
        bytes.append(withLength: account)
        return try BLAKE2b.hash(bytes, keyedBy: key)
    }
}

/// The text of a notification as the system displays it.
enum DisplayedText {
    static let digestLength = 32

    /// Returns the digest of the title, the subtitle, the body and the category.
    static func digest(of content: NotificationContent) throws(PushCryptError) -> [UInt8] {
        var bytes: [UInt8] = []
        // A payload has at most 4 KiB.
        bytes.reserveCapacity(4096)
        bytes.append(withLength: content.title)
        bytes.append(withLength: content.subtitle)
        bytes.append(withLength: content.body)
        bytes.append(withLength: content.categoryIdentifier)
        return try BLAKE2b.hash(bytes)
    }
}
