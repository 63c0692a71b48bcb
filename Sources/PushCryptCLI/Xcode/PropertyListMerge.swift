internal import Foundation
internal import PushCryptSender

/// The merge of values into a property list that an app already has.
struct PropertyListMerge {
    /// The values that the tool writes.
    let values: [String: Any]

    /// The lists that the app shares with others: they keep their elements and get the missing
    /// ones.
    private static let sharedLists = [
        SharedGroup.app.entitlement, SharedGroup.keychain.entitlement, "UIBackgroundModes",
    ]

    /// The members that the developer may have changed since the tool wrote them.
    private static let kept = ["aps-environment"]

    /// Returns the members of a file with the values in place of those of the same name.
    ///
    /// A setting of PushCrypt that isn't among the values is removed, because an earlier run wrote
    /// it.
    ///
    /// - Throws: ``PushCryptError`` with `malformedPropertyList` if the file isn't a property list.
    func merged(intoFileAt path: String) throws(PushCryptError) -> [String: Any] {
        try merged(into: Data(try Input.text(path)), path)
    }

    /// Returns the members of a property list with the values, as for a file with a name.
    func merged(into data: Data, _ path: String) throws(PushCryptError) -> [String: Any] {
        guard PropertyList(parsing: data).isValid,
            let members = try? PropertyListDecoder().decode(
                [String: PropertyListValue].self, from: data)
        else {
            throw PushCryptError(
                .malformedPropertyList,
                "\(path) isn't a property list. Correct it, or remove it. Nothing was written.")
        }
        let list = members.mapValues(\.foundationValue)
        return list.filter { !InfoKey.all.contains($0.key) }.merging(
            values, uniquingKeysWith: Self.merged
        )
        .merging(Self.shared(of: list, and: values)) { $1 }
    }

    /// Returns the value of a member that both sides have.
    ///
    /// A class of the target's module stays, because the developer may have chosen another one than
    /// the tool writes.
    private static func merged(_ old: Any, _ new: Any) -> Any {
        let classes = [old, new].compactMap { $0 as? String }.filter {
            $0.hasPrefix("$(PRODUCT_MODULE_NAME).")
        }
        if classes.count == 2 { return old }
        guard let old = old as? [String: Any], let new = new as? [String: Any] else { return new }
        return old.merging(new, uniquingKeysWith: merged)
    }

    /// Returns the members that keep values of the file.
    private static func shared(of list: [String: Any], and values: [String: Any]) -> [String: Any] {
        var members: [String: Any] = [:]
        for name in sharedLists {
            guard let old = list[name] as? [String], let new = values[name] as? [String] else {
                continue
            }
            members[name] = old + new.filter { !old.contains($0) }
        }
        for name in kept where values[name] != nil { members[name] = list[name] }
        return members
    }
}
