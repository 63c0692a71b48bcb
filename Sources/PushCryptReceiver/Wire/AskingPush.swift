internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// A background push that asks the app to register.
enum AskingPush: Sendable, Hashable {
    /// A push with a sealed value, which may be a challenge.
    case sealed(SealedValue)
    /// A push without content, which a server sends to all devices after it has revoked a key.
    case request

    /// Reads a dictionary of the system; returns `nil` if it asks for nothing.
    ///
    /// A request is exactly `{"aps":{"content-available":1}}`, apart from members that the carrier
    /// adds.
    ///
    /// - Throws: ``PushCryptError`` with `invalidConfiguration` if the carrier isn't known.
    init?(userInfo: [AnyHashable: Any], from carrier: Carrier) throws(PushCryptError) {
        let place = try SealedPlace(of: carrier)
        if let value = place.value(in: userInfo) {
            guard let text = value as? String else { return nil }
            self = .sealed(SealedValue(text: Array(text.utf8)))
        } else {
            guard place.hasNoMembers(userInfo), let aps = userInfo["aps"] as? [AnyHashable: Any],
                aps.count == 1,
                (aps["content-available"] as? NSNumber)?.doubleValue == 1
            else { return nil }
            self = .request
        }
    }
}

/// The pushes that have asked the app to register, for the accounts that haven't yet.
struct AskingPushes: Sendable {
    private static let capacity = 8

    private struct Asked: Sendable {
        let push: AskingPush
        /// The names of the accounts that have answered it.
        var answered: Set<String> = []
    }

    private var pushes: [Asked] = []

    /// Adds a push; the oldest one leaves if there are many.
    mutating func add(_ push: AskingPush) {
        pushes.removeAll { $0.push == push }
        pushes = (pushes + [Asked(push: push)]).suffix(Self.capacity)
    }

    /// Returns the pushes that an account hasn't answered.
    func pushes(for account: String) -> [AskingPush] {
        pushes.filter { !$0.answered.contains(account) }.map(\.push)
    }

    /// Records that an account has answered a push, or that the push doesn't ask it.
    mutating func answer(_ push: AskingPush, by account: String, of accounts: Int) {
        for index in pushes.indices where pushes[index].push == push {
            pushes[index].answered.insert(account)
        }
        pushes.removeAll { $0.answered.count >= accounts }
    }
}
