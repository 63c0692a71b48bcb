internal import PushCryptCore
package import PushCryptPayload

/// Checks of the keys of the app's string table, and of their arguments.
extension RuleCheck {
    package mutating func checkLocalization(_ strings: (any StringTable)?) {
        let keys: [(PayloadKey, PayloadKey)] = [
            (.titleLocKey, .titleLocArgs), (.subtitleLocKey, .subtitleLocArgs), (.locKey, .locArgs),
        ]
        for (key, arguments) in keys {
            if text(outline[key]) == nil, isPresent(arguments) {
                report(.locArgsWithoutKey, at: arguments, key.rawValue)
            }
            if let strings { check(outline[key], at: key.path, outline[arguments], at: arguments.path, strings) }
        }
        guard type == .liveActivity, let strings else { return }
        // The lines of a Live Activity's alert may be dictionaries with a key and its arguments.
        for line in [PayloadKey.title, .subtitle, .body] {
            guard let object = outline[line], object.kind == .object else { continue }
            func member(_ key: PayloadKey) -> JSONDocument.Value? {
                outline.document.member(key.rawValue, of: object, in: bytes.span)
            }
            check(
                member(.locKey), at: line.path + [PayloadKey.locKey.rawValue], member(.locArgs),
                at: line.path + [PayloadKey.locArgs.rawValue], strings)
        }
    }

    private mutating func check(
        _ key: JSONDocument.Value?, at keyPath: [String], _ arguments: JSONDocument.Value?, at path: [String],
        _ strings: any StringTable
    ) {
        guard let key = text(key) else { return }
        var count = 0
        if let arguments, arguments.kind == .array {
            count = outline.document.children(of: arguments).count
        }
        check(key, count, at: Finding.Location(keyPath), arguments: Finding.Location(path), strings)
    }

    /// Checks the keys of a placeholder against a string table.
    package mutating func checkLocalization(of placeholder: Placeholder, _ strings: (any StringTable)?) {
        guard let strings, type == .alert else { return }
        let lines = [(placeholder.title, "title"), (placeholder.subtitle, "subtitle"), (placeholder.body, "body")]
        for (line, name) in lines {
            guard case .localized(let key, let arguments) = line else { continue }
            let location = Finding.Location(outside: "the placeholder's \(name)")
            check(key, arguments.count, at: location, arguments: location, strings)
        }
    }

    private mutating func check(
        _ key: String, _ count: Int, at location: Finding.Location, arguments: Finding.Location,
        _ strings: any StringTable
    ) {
        // The device treats an empty string as a missing one.
        guard let format = strings.string(forKey: key), !format.isEmpty else {
            report(.locKeyUnknown, at: location)
            return
        }
        let needed = LocalizedFormat.neededArguments(format)
        if count < needed { report(.locArgsTooFew, at: arguments, "\(count) of \(needed)") }
    }
}
