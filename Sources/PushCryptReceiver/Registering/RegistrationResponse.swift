public import Foundation
public import PushCryptCore
internal import PushCryptPayload

/// The server's authenticated response to a registration.
public struct RegistrationResponse: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case accepted
        case challenged
        case stale(UInt64)
    }

    let kind: Kind

    private init(kind: Kind, date: Date? = nil, signerLists: [String] = []) {
        self.kind = kind
        self.date = date
        self.signerLists = signerLists
    }

    /// The date of the response; `nil` if it's unknown.
    var date: Date?

    /// The lists of accepted keys in the response.
    var signerLists: [String] = []

    /// The server has stored the registration.
    ///
    /// - Parameters:
    ///   - date: The date in the `Date` header of the server's response; `nil` if it's unknown.
    ///   - signerLists: The lists of accepted keys that the server hands out: usually one, and none
    ///     if its only key is the root.
    /// - Returns: The response.
    public static func accepted(date: Date?, signerLists: [String] = []) -> Self {
        Self(kind: .accepted, date: date, signerLists: signerLists)
    }

    /// The server has sent a challenge through the push channel, and stores the registration after
    /// its answer.
    ///
    /// The app passes the push to ``PushInbox/open(_:as:)``, and registers.
    ///
    /// - Parameters:
    ///   - date: The date in the `Date` header of the server's response; `nil` if it's unknown.
    ///   - signerLists: The lists of accepted keys that the server hands out.
    /// - Returns: The response.
    public static func challenged(date: Date?, signerLists: [String] = []) -> Self {
        Self(kind: .challenged, date: date, signerLists: signerLists)
    }

    /// The server has rejected the registration with `stale-generation`, and answered this
    /// generation.
    ///
    /// If the device's own generation isn't greater, its keys may be from an old backup. The
    /// registrar then creates a new key, registers it, and keeps the newest 64 retired keys.
    public static func stale(generation: UInt64) -> Self { Self(kind: .stale(generation)) }

    /// Reads the answer of a server.
    ///
    /// A server of any framework answers so:
    ///
    /// | Status | Body | Meaning |
    /// |---|---|---|
    /// | 202 | `{"lists":[…]}` or none | a challenge is on its way |
    /// | any other 2xx | `{"lists":[…]}` or none | the registration is stored |
    /// | 409 | `{"generation":7}` | the registration is stale |
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - headers: The header fields. Only `Date` is read.
    ///   - body: The body; it may be empty, and may have members of your own.
    /// - Throws: ``PushCryptError`` with `registrationRefused` for another status or a body without
    ///   the generation.
    public init(status: Int, headers: [AnyHashable: Any], body: Data) throws(PushCryptError) {
        let members = (try? JSONValue(parsing: [UInt8](body)))?.objectValue ?? [:]
        let date = headers.first { ($0.key as? String)?.lowercased() == "date" }?.value as? String
        let lists = (members["lists"]?.arrayValue ?? []).compactMap(\.stringValue)
        switch status {
        case 202: self = .challenged(date: date.flatMap(HTTPDate.date), signerLists: lists)
        case 200..<300: self = .accepted(date: date.flatMap(HTTPDate.date), signerLists: lists)
        case 409:
            guard let generation = members["generation"]?.numberValue?.exactly(UInt64.self) else {
                throw PushCryptError(
                    .registrationRefused,
                    """
                    The server answered 409 without a generation. Have it answer \
                    {"generation":N}.
                    """)
            }
            self = .stale(generation: generation)
        default:
            throw PushCryptError(
                .registrationRefused,
                "The server answered a registration with status \(status). Read its log.")
        }
    }
}
