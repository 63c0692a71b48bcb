internal import PushCryptCore
package import PushCryptPayload

// Keys of the app's string table, and their arguments.
extension RuleCheck {
    private static let localized: [(key: PayloadKey, arguments: PayloadKey)] = [
        (.titleLocKey, .titleLocArgs), (.subtitleLocKey, .subtitleLocArgs), (.locKey, .locArgs),
    ]

    /// The alert of a Live Activity has dictionaries in the place of texts, each with a key and its arguments.
    private mutating func checkLiveActivityTexts(_ strings: any StringTable) {
        for key in [PayloadKey.title, .subtitle, .body] {
            guard let object = outline[key]?.valueObject, object >= 0 else { continue }
            let locKey = outline.document.member(PayloadKey.locKey.rawValue, of: object, in: bytes.span)
            let arguments = outline.document.member(PayloadKey.locArgs.rawValue, of: object, in: bytes.span)
            check(
                locKey, at: key.path + [PayloadKey.locKey.rawValue], arguments,
                at: key.path + [PayloadKey.locArgs.rawValue], strings)
        }
    }

    private mutating func check(
        _ key: JSONDocument.Member?, at keyPath: [String], _ arguments: JSONDocument.Member?, at path: [String],
        _ strings: any StringTable
    ) {
        guard let locKey = text(key) else { return }
        let isArray = arguments.map { kind($0) == .array } ?? false
        let given = isArray ? arguments.map { JSONArray.elements(of: bytes.span, $0.value).count } ?? 0 : 0
        check(locKey, given, strings, at: Finding.Place(keyPath), arguments: Finding.Place(path))
    }

    private mutating func check(
        _ key: String, _ given: Int, _ strings: any StringTable, at place: Finding.Place, arguments: Finding.Place
    ) {
        // The device takes an empty string for a missing one.
        guard let format = strings.string(forKey: key), !format.isEmpty else {
            report(.locKeyUnknown, at: place)
            return
        }
        let needed = LocalizedFormat.neededArguments(format)
        if given < needed { report(.locArgsTooFew, at: arguments, "\(given) of \(needed)") }
    }

    /// The placeholder's keys against a string table.
    package mutating func checkLocalization(of placeholder: Placeholder, _ strings: (any StringTable)?) {
        guard let strings, type == .alert else { return }
        for (line, name) in [
            (placeholder.title, "title"), (placeholder.subtitle, "subtitle"), (placeholder.body, "body"),
        ] {
            guard case .localized(let key, let arguments) = line else { continue }
            let place = Finding.Place(outside: "the placeholder's \(name)")
            check(key, arguments.count, strings, at: place, arguments: place)
        }
    }

    /// Checks the keys by themselves, and against a string table where one is given.
    package mutating func checkLocalization(_ strings: (any StringTable)?) {
        for (key, arguments) in Self.localized {
            if text(outline[key]) == nil, isPresent(arguments) {
                report(.locArgsWithoutKey, at: arguments, "\(key.rawValue)")
            }
            if let strings { check(outline[key], at: key.path, outline[arguments], at: arguments.path, strings) }
        }
        if type == .liveActivity, let strings { checkLiveActivityTexts(strings) }
    }
}
