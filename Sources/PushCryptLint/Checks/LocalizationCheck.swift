internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSender

/// Checks of the keys of the app's string table, and of their arguments.
extension RuleCheck {
    mutating func checkLocalization(_ strings: (any StringTable)?) {
        let keys: [(PayloadKey, PayloadKey)] = [
            (.titleLocKey, .titleLocArgs), (.subtitleLocKey, .subtitleLocArgs), (.locKey, .locArgs),
        ]
        for (key, arguments) in keys where text(outline[key]) == nil && isPresent(arguments) {
            report(.locArgsWithoutKey, at: arguments, key.rawValue)
        }
        guard let strings else { return }
        for (key, arguments) in keys { check(key, arguments, in: .alert, strings: strings) }
        guard type == .liveActivity else { return }
        // The lines of a Live Activity's alert may be dictionaries with a key and its arguments.
        for line in [PayloadKey.title, .subtitle, .body] {
            check(.locKey, .locArgs, in: line, strings: strings)
        }
    }

    private mutating func check(
        _ key: PayloadKey, _ arguments: PayloadKey, in parent: PayloadKey, strings: any StringTable
    ) {
        let name = outline.document.member(
            key.rawValue, of: outline[parent], in: outline.bytes.span)
        let values = outline.document.member(
            arguments.rawValue, of: outline[parent], in: outline.bytes.span)
        guard let name = text(name) else { return }
        let count = values?.kind == .array ? outline.document.children(of: values).count : 0
        check(
            name, count, at: Finding.Location(parent.path + [key.rawValue]),
            arguments: Finding.Location(parent.path + [arguments.rawValue]), strings: strings)
    }

    /// Checks the keys of a placeholder against a string table.
    mutating func checkLocalization(of placeholder: Placeholder, _ strings: (any StringTable)?) {
        guard let strings, type == .alert else { return }
        let lines = [
            (placeholder.title, "title"), (placeholder.subtitle, "subtitle"),
            (placeholder.body, "body"),
        ]
        for (line, name) in lines {
            guard case .localized(let key, let arguments) = line else { continue }
            let location = Finding.Location(outside: "the placeholder's \(name)")
            check(key, arguments.count, at: location, arguments: location, strings: strings)
        }
    }

    private mutating func check(
        _ key: String, _ count: Int, at location: Finding.Location, arguments: Finding.Location,
        strings: any StringTable
    ) {
        // The device treats an empty string as a missing one.
        guard let format = strings.string(forKey: key), !format.isEmpty else {
            report(.locKeyUnknown, at: location)
            return
        }
        if let conversion = LocalizedFormat.otherConversion(format) {
            report(.locFormat, at: location, conversion)
        }
        let used = LocalizedFormat.usedArguments(format)
        let needed = LocalizedFormat.neededArguments(format)
        guard count >= needed else {
            return report(.locArgsTooFew, at: arguments, "\(count) of \(needed)")
        }
        let unused = (0..<count).first { !used.contains($0) }
        if let unused { report(.locArgsUnused, at: arguments, "\(unused + 1)") }
    }
}
