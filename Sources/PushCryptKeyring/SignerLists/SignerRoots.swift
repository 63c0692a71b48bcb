package import PushCryptCore
package import PushCryptFoundation

/// The roots that an app pins for an account, in order, and the audience of their lists.
package struct SignerRoots: Sendable, Hashable {
    package let keys: [VerificationKey]
    package let audience: String?

    /// The number of stored lists of roots and audiences that this release of the app doesn't pin.
    private static let maximumForeign = 8

    package init(_ keys: [VerificationKey], audience: String? = nil) {
        // A root that is pinned twice is one root, whose first place counts.
        self.keys = keys.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        self.audience = audience
    }

    /// Returns the keys from which the device accepts signatures: the keys of the first root's
    /// list, or the roots if no stored list counts.
    ///
    /// - Parameter texts: The stored lists. A list of another root or audience doesn't count,
    ///   because the app may have pinned others before an update.
    /// - Returns: The keys, in the order of the list or of the roots.
    /// - Throws: ``PushCryptError`` if a stored list of a pinned root is damaged.
    package func acceptedKeys(with texts: [String]) throws(PushCryptError) -> [VerificationKey] {
        // The usual device has no list, and this runs for each message.
        guard !texts.isEmpty else { return keys }
        return try decidingList(in: texts)?.keys ?? keys
    }

    /// Returns the stored list of the first root that has one; `nil` if no stored list counts.
    ///
    /// - Throws: ``PushCryptError`` if a stored list of a pinned root is damaged.
    package func decidingList(in texts: [String]) throws(PushCryptError) -> SignerList? {
        let lists = try ownLists(texts)
        for root in keys {
            if let list = lists.first(where: { $0.rootKid == root.kid }) { return list }
        }
        return nil
    }

    /// Returns the stored lists of pinned roots for the pinned audience.
    private func ownLists(_ texts: [String]) throws(PushCryptError) -> [SignerList] {
        var lists: [SignerList] = []
        for text in texts {
            do throws(PushCryptError) {
                let list = try SignerList(verifyingExactly: Array(text.utf8), roots: keys)
                if SignerListContent.isSame(list.audience, audience) { lists.append(list) }
            } catch {
                guard error.code == .unknownRoot else { throw error }
            }
        }
        return lists
    }

    /// Returns the stored lists in which a new list replaces an older list of its root and
    /// audience.
    ///
    /// - Parameters:
    ///   - text: The list from the server's answer.
    ///   - stored: The stored lists.
    ///   - now: The date of the server's answer.
    /// - Returns: The lists to store.
    /// - Throws: ``PushCryptError`` with the code of the first rule that the list breaks (section
    ///   13 of the format).
    package func adding(_ text: String, to stored: [String], at now: Date) throws(PushCryptError)
        -> [String]
    {
        let list = try SignerList(verifyingExactly: Array(text.utf8), roots: keys)
        guard SignerListContent.isSame(list.audience, audience) else {
            throw PushCryptError(
                .wrongAudience,
                """
                The list is for \
                \(list.audience.map { "the audience \"\($0)\"" } ?? "no audience"), not for \
                \(audience.map { "\"\($0)\"" } ?? "an app without one"). Announce it for this app.
                """)
        }
        let known = StoredLists(stored, beside: list, self)
        if let old = known.replaced {
            guard old.text != list.text else { return stored }
            try Self.checkOrder(of: list, after: old)
        }
        guard now < list.expiration else {
            throw PushCryptError(
                .expiredSignerList,
                "The list of accepted keys expired before it came. Announce a new one.")
        }
        return Array(known.foreign.suffix(Self.maximumForeign)) + known.own + [list.text]
    }

    /// The stored lists beside a new one.
    private struct StoredLists {
        /// The list that the new one replaces.
        private(set) var replaced: SignerList?
        /// The lists of the other pinned roots, also damaged ones: only a list of its root replaces
        /// a damaged one.
        private(set) var own: [String] = []
        /// The lists of other roots or audiences, whose numbers count if another release of the app
        /// pins them.
        private(set) var foreign: [String] = []

        init(_ stored: [String], beside list: SignerList, _ roots: SignerRoots) {
            for text in stored {
                do throws(PushCryptError) {
                    let old = try SignerList(verifyingExactly: Array(text.utf8), roots: roots.keys)
                    if !SignerListContent.isSame(old.audience, roots.audience) {
                        foreign.append(text)
                    } else if old.rootKid == list.rootKid {
                        replaced = replaced ?? old
                    } else {
                        own.append(text)
                    }
                } catch {
                    if error.code == .unknownRoot {
                        foreign.append(text)
                    } else if let kid = SignerList.claimedRoot(of: text), kid != list.rootKid {
                        own.append(text)
                    }
                }
            }
        }
    }

    private static func checkOrder(of list: SignerList, after old: SignerList)
        throws(PushCryptError)
    {
        guard list.number >= old.number else {
            throw PushCryptError(
                .staleSignerList,
                """
                The list has the number \(list.number), and the device has \(old.number). Hand out \
                the newest list.
                """)
        }
        guard list.number > old.number else {
            throw PushCryptError(
                .conflictingSignerList,
                """
                Two lists have the number \(list.number). Announce a new list, which gets a higher \
                number.
                """)
        }
    }
}
