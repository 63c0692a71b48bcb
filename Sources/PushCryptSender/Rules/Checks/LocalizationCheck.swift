// Keys of the app's string table, and their arguments.
extension RuleCheck {
    private static let localized: [(key: PayloadKey, arguments: PayloadKey)] = [
        (.titleLocKey, .titleLocArgs), (.subtitleLocKey, .subtitleLocArgs), (.locKey, .locArgs),
    ]

    /// Checks the keys by themselves, and against a string table where one is given.
    mutating func checkLocalization(_ strings: (any StringTable)?) {
        for (key, arguments) in Self.localized {
            guard let locKey = text(outline[key]) else {
                if isPresent(arguments) { report(.locArgsWithoutKey, at: arguments, "\(key.rawValue)") }
                continue
            }
            guard let strings else { continue }
            guard let format = strings.string(forKey: locKey) else {
                report(.locKeyUnknown, at: key)
                continue
            }
            let given = outline[arguments].map { JSONArray.elements(of: bytes.span, $0.value).count } ?? 0
            let needed = LocalizedFormat.neededArguments(format)
            if given < needed { report(.locArgsTooFew, at: arguments, "\(given) of \(needed)") }
        }
    }
}
