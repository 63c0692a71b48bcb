#if APNs
internal import NIOCore
internal import NIOHPACK

/// The parts of an answer that have arrived on a stream.
struct AnswerParts {
    /// The maximum length of a body.
    ///
    /// APNs sends less than 200 bytes.
    static let maximumLength = 1 << 14

    /// The final status; `nil` before it arrives.
    private(set) var status: Int?
    private var uniqueID: String?
    private var retryAfter: String?
    private var body: [UInt8] = []

    /// The answer; `nil` before its status.
    ///
    /// The status decides. Without the rest of the body, only the reason is missing.
    var answer: APNsAnswer? {
        status.map {
            APNsAnswer(status: $0, uniqueID: uniqueID, retryAfter: retryAfter, body: body)
        }
    }

    /// Adds header fields.
    ///
    /// - Returns: `false` if they aren't valid.
    mutating func add(_ fields: HPACKHeaders) -> Bool {
        let statuses = Self.countOfStatuses(in: fields)
        // Fields after the final status are trailers.
        guard status == nil else { return statuses == 0 }
        guard statuses == 1 else { return false }
        guard let text = fields.first(name: ":status"), let value = Self.status(text) else {
            return false
        }
        guard value >= 200 else { return true }
        status = value
        uniqueID = fields.first(name: "apns-unique-id")
        retryAfter = fields.first(name: "retry-after")
        return true
    }

    /// Adds a part of the body.
    ///
    /// - Returns: `false` if the body is too long. Its beginning is kept.
    mutating func add(_ bytes: ByteBuffer) -> Bool {
        guard body.count + bytes.readableBytes <= Self.maximumLength else { return false }
        body += bytes.readableBytesView
        return true
    }

    /// Returns the number of statuses in fields; `nil` if RFC 9113 forbids the fields (sections 8.2
    /// and 8.3.2).
    private static func countOfStatuses(in fields: HPACKHeaders) -> Int? {
        var count = 0
        var isAfterPseudoFields = false
        for (name, _, _) in fields {
            if name == ":status", !isAfterPseudoFields {
                count += 1
                continue
            }
            isAfterPseudoFields = true
            guard isFieldName(name) else { return nil }
        }
        return count
    }

    private static func isFieldName(_ name: String) -> Bool {
        switch name {
        case "", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
            false
        default:
            name.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") && !(0x41...0x5A).contains($0)
            }
        }
    }

    /// Returns a status of three digits; `nil` for one that isn't valid, or that HTTP/2 excludes.
    private static func status(_ text: String) -> Int? {
        guard text.utf8.count == 3, let value = UInt16(text), (100...599).contains(value),
            value != 101
        else {
            return nil
        }
        return Int(value)
    }
}
#endif
