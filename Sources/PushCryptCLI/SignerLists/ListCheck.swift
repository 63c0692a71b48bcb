internal import Foundation
internal import PushCryptSender

/// The comparison of a server's keyring with the list that it hands out.
struct ListCheck {
    let ring: Keyring<SigningKey>
    let option: ListOption
    let now: Date

    /// Warns of what will darken devices, and throws for what does.
    func run() throws(PushCryptError) {
        guard let list = try option.read(for: ring), let path = option.list else { return warnOfOnlyRoot() }
        try naming("--list \(path)") { () throws(PushCryptError) in
            try list.checkListing(of: ring)
            guard list.expiration > now else {
                throw PushCryptError(
                    .expiredSignerList,
                    "The list expired on \(Self.day(list.expiration)), and no device takes it. Announce the keys again."
                )
            }
        }
        if list.expiration.timeIntervalSince(now) < 30 * 24 * 3600 {
            Output.warning("\(path) expires on \(Self.day(list.expiration)): announce the keys again before")
        }
        for key in ring.pending.map(\.key.publicKey) where !list.keys.contains(key) {
            Output.warning("\(path) doesn't have the pending key \(key.keyID): announce the keys before it is promoted")
        }
        for key in ring.retired.map(\.key.publicKey) where !list.keys.contains(key) {
            Output.warning("\(path) doesn't have the retired key \(key.keyID): announce the keys again")
        }
        for key in list.keys where !ring.publicKeys.contains(key) {
            Output.warning("\(path) has the key \(key.keyID), which the keyring lacks: announce the keys again")
        }
        let audience = list.audience.map { ", for the audience \"\(SafeText.onOneLine($0))\"" } ?? ""
        Output.hint("\(path) is valid: \(list), until \(Self.day(list.expiration))\(audience)")
        warnOfRoot(list)
    }

    private func warnOfOnlyRoot() {
        guard ring.keys.count == 1 else { return }
        Output.hint(
            "if the app pins this key alone, a stolen key needs an update of the app: \(Self.offlineRoot)")
    }

    private func warnOfRoot(_ list: SignerList) {
        if ring.publicKeys.contains(where: { $0.kid == list.rootKid }) {
            Output.hint("the root \(list.rootKid.prefix(10)) is a key of this keyring, whose thief can sign lists")
        }
        if option.root.count < 2 {
            Output.hint("name each root of the app with '--root'; if it pins one alone, \(Self.offlineRoot)")
        }
    }

    /// The advice for an app with one root.
    static let offlineRoot =
        "add an offline root before the first release: 'pushcrypt xcode write --root root.jwk …'"

    static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
