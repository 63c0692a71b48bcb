public import Foundation

/// The server's authenticated response to a registration.
public struct RegistrationResponse: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case accepted
        case challenged
        case stale(UInt64)
    }

    let kind: Kind

    /// The date of the response; `nil` if it's unknown.
    var date: Date?

    /// The lists of accepted keys in the response.
    var signerLists: [String] = []

    /// The server has stored the registration.
    ///
    /// - Parameters:
    ///   - date: The date in the `Date` header of the server's response; `nil` if it's unknown.
    ///   - signerLists: The lists of accepted keys that the server hands out: usually one, and none if its only key is
    ///     the root.
    /// - Returns: The response.
    public static func accepted(date: Date?, signerLists: [String] = []) -> Self {
        Self(kind: .accepted, date: date, signerLists: signerLists)
    }

    /// The server has sent a challenge through the push channel, and stores the registration after its answer.
    ///
    /// The app passes the push to ``DeviceRegistrar/register(ifAskedBy:deviceToken:with:)``, which answers it.
    ///
    /// - Parameters:
    ///   - date: The date in the `Date` header of the server's response; `nil` if it's unknown.
    ///   - signerLists: The lists of accepted keys that the server hands out.
    /// - Returns: The response.
    public static func challenged(date: Date?, signerLists: [String] = []) -> Self {
        Self(kind: .challenged, date: date, signerLists: signerLists)
    }

    /// The server has rejected the registration with `stale-generation`, and answered this generation.
    ///
    /// If the device's own generation isn't greater, its keys may be from an old backup. The registrar then creates a
    /// new key, registers it, and keeps the newest 64 retired keys.
    public static func stale(generation: UInt64) -> Self { Self(kind: .stale(generation)) }
}
