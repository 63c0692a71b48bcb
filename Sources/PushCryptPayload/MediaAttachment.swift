public import PushCryptCore
package import PushCryptFoundation

/// An image, sound or video that the device downloads and displays with a notification.
///
/// Seal a file with `init(sealing:to:url:)`, or name a plain file that anyone can read:
///
/// ```swift
/// var payload = Payload(title: "New photo", body: "From Anna")
/// payload.attachments = [MediaAttachment(url: "https://media.example.com/4e1f.jpg", type: .jpeg)]
/// ```
public struct MediaAttachment: Sendable, Hashable, Redacted {
    /// The member of a payload with its attachments, in the order of preference.
    package static let payloadKey = "ATTACHMENTS"

    /// The address of the file.
    public var url: String

    /// The type of the file.
    public var type: MediaType

    /// The name of the file; `nil` if it has none.
    public var name: String?

    /// A Boolean value that indicates whether the notification hides the thumbnail.
    public var hidesThumbnail: Bool

    /// The key and the lengths of a sealed file; `nil` for a plain file.
    package var seal: Seal?

    /// The key of a sealed file, its length in bytes without padding, and the BLAKE2b digest of the
    /// sealed file.
    package struct Seal: Sendable, Hashable {
        package let key: Bytes32
        package let length: Int
        package let digest: Bytes32

        package init(key: Bytes32, length: Int, digest: Bytes32) {
            self.key = key
            self.length = length
            self.digest = digest
        }
    }

    /// Creates an attachment with a plain file.
    public init(url: String, type: MediaType, name: String? = nil, hidesThumbnail: Bool = false) {
        self.url = url
        self.type = type
        self.name = name
        self.hidesThumbnail = hidesThumbnail
    }

    /// The address of the file; `nil` if it isn't one of a web server, names a user, or needs
    /// escapes that older systems don't add.
    package var address: URL? {
        let address = URL(string: url).flatMap {
            $0.absoluteString == url && $0.host?.isEmpty == false ? $0 : nil
        }
        guard let address, !address.hasUserInformation else { return nil }
        return ["http", "https"].contains(address.scheme?.lowercased()) ? address : nil
    }

    /// Returns the attachments of an original payload that are valid, in the order of preference.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`, or with `malformedAttachment` if no
    ///   attachment is valid.
    package static func all(in payload: [UInt8]) throws(PushCryptError) -> [MediaAttachment] {
        // Most payloads have none, and a scan is faster than values.
        let document = try JSONDocument(scanning: payload.span)
        guard document.member(payloadKey, in: payload.span) != nil else { return [] }
        guard let values = try JSONValue(forDisplay: payload)[payloadKey]?.arrayValue,
            let first = values.first
        else {
            throw malformed("the member isn't a list")
        }
        do throws(Problem) {
            let valid = values.compactMap { try? MediaAttachment($0) }
            return valid.isEmpty ? [try MediaAttachment(first)] : valid
        } catch {
            throw malformed(error.text)
        }
    }

    /// The reason why an attachment isn't valid, without its contents.
    package struct Problem: Error {
        package let text: String
    }

    /// Parses an attachment from its JSON.
    package init(_ value: JSONValue) throws(Problem) {
        guard let members = value.objectValue, let url = members["url"]?.stringValue,
            let type = members["type"]?.stringValue
        else { throw Problem(text: "its \"url\" or \"type\" is missing") }
        self.init(url: url, type: MediaType(rawValue: type))
        guard URL(string: url)?.hasUserInformation != true else {
            throw Problem(text: "its \"url\" has a user or a password")
        }
        guard address != nil, self.type.fileExtension != nil else {
            throw Problem(
                text: "its \"url\" isn't one of a web server, or its \"type\" isn't supported")
        }
        name = members["name"]?.stringValue
        hidesThumbnail = members["hidesThumbnail"] == .bool(true)
        guard ["key", "length", "digest"].contains(where: { members[$0] != nil }) else { return }
        guard let length = members["length"]?.intValue,
            (0...self.type.maximumLength).contains(length)
        else {
            throw Problem(text: "its \"length\" is missing or too large")
        }
        seal = Seal(
            key: try Self.bytes(members["key"]), length: length,
            digest: try Self.bytes(members["digest"]))
    }

    /// The attachment as JSON.
    var value: JSONValue {
        var members: [String: JSONValue] = ["url": .string(url), "type": .string(type.rawValue)]
        members["name"] = name.map { .string($0) }
        if hidesThumbnail { members["hidesThumbnail"] = .bool(true) }
        if let seal {
            members["key"] = .string(Base64URL.encode(seal.key.array))
            members["length"] = .number(JSONNumber(seal.length))
            members["digest"] = .string(Base64URL.encode(seal.digest.array))
        }
        return .object(members)
    }

    private static func bytes(_ value: JSONValue?) throws(Problem) -> Bytes32 {
        guard let text = value?.stringValue,
            let bytes = try? Base64URL.decode(Array(text.utf8).span),
            let bytes = try? Bytes32(bytes.span)
        else { throw Problem(text: "its \"key\" or \"digest\" isn't 43 characters of base64url") }
        return bytes
    }

    private static func malformed(_ problem: String) -> PushCryptError {
        PushCryptError(
            .malformedAttachment,
            "The attachment isn't valid: \(problem). Create it with MediaAttachment.")
    }
}

extension Payload {
    /// The attachments, in the order of preference; empty if the member is missing or isn't valid.
    public var attachments: [MediaAttachment] {
        get {
            custom[MediaAttachment.payloadKey]?.arrayValue?.compactMap { try? MediaAttachment($0) }
                ?? []
        }
        set {
            custom[MediaAttachment.payloadKey] =
                newValue.isEmpty ? nil : .array(newValue.map(\.value))
        }
    }
}
