public import PushCryptCore

/// The keys from which a device accepts signatures, by their thumbprints, as in the device's
/// registration.
///
/// ```swift
/// func knows(_ key: VerificationKey, _ registration: Registration) -> Bool {
///     registration.signers?.contains(key) ?? false
/// }
/// ```
public struct AcceptedSigners: Sendable, Hashable {
    /// The largest number of keys.
    package static let maximumCount = 64

    private let thumbprints: [Bytes32]

    /// The thumbprints of the keys (RFC 7638), each 43 characters of base64url.
    public var kids: [String] { thumbprints.map { Base64URL.encode($0.array) } }

    /// Creates the set from thumbprints.
    ///
    /// - Parameter kids: 1 to 64 different thumbprints, each 43 characters of base64url.
    /// - Throws: ``PushCryptError`` with `malformedRegistration`.
    public init(kids: [String]) throws(PushCryptError) {
        guard (1...Self.maximumCount).contains(kids.count) else { throw Self.malformed }
        var thumbprints: [Bytes32] = []
        for kid in kids {
            guard let bytes = try? Base64URL.decode(Array(kid.utf8).span),
                let thumbprint = try? Bytes32(bytes.span),
                !thumbprints.contains(thumbprint)
            else { throw Self.malformed }
            thumbprints.append(thumbprint)
        }
        self.thumbprints = thumbprints
    }

    /// Creates the set of keys; `nil` if there are none, or more than 64.
    package init?(_ keys: [VerificationKey]) {
        guard (1...Self.maximumCount).contains(keys.count) else { return nil }
        thumbprints = keys.map(\.thumbprint)
    }

    private static let malformed = PushCryptError(
        .malformedRegistration,
        """
        "signers" isn't an array of 1 to \(maximumCount) different thumbprints of 43 characters. \
        Send the registration unchanged.
        """)

    /// Returns a Boolean value that indicates whether the device accepts signatures of a key.
    public func contains(_ key: VerificationKey) -> Bool { thumbprints.contains(key.thumbprint) }

    /// The thumbprints as a JSON array.
    package var json: String { "[" + kids.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

    /// Parses the member `signers` of an object, `nil` if it's missing.
    ///
    /// - Throws: ``PushCryptError`` with `malformedRegistration`.
    package init?(
        of object: JSONDocument.Value, _ document: JSONDocument, in bytes: Span<UInt8>
    ) throws(PushCryptError) {
        guard let member = document.member("signers", of: object, in: bytes) else { return nil }
        guard member.kind == .array else { throw Self.malformed }
        var kids: [String] = []
        for element in document.children(of: member) {
            // Thumbprints are written without escapes, which JSON readers decode in different ways.
            guard element.kind == .string, element.contents.count == 43 else {
                throw Self.malformed
            }
            kids.append(
                String(
                    decoding: [UInt8](copying: bytes.extracting(element.contents)), as: UTF8.self))
        }
        try self.init(kids: kids)
    }
}

extension AcceptedSigners: CustomStringConvertible {
    /// The number of keys and the beginnings of their thumbprints.
    public var description: String {
        "\(thumbprints.count) accepted keys: "
            + kids.map { String($0.prefix(10)) }.joined(separator: ", ")
    }
}
