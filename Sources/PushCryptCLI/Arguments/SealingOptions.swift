internal import ArgumentParser
internal import Foundation
internal import PushCryptLint
internal import PushCryptSender

/// The options of a sealer.
struct SealingOptions: ParsableArguments {
    @Option(help: "The push type.") var type: PushType = .alert

    @Option(
        help: ArgumentHelp(
            """
            The time for which devices open it, as in 90s, 15m, 12h or 7d. Default: 7d. At most \
            30d.
            """,
            valueName: "period"),
        transform: Period.seconds)
    var lifetime: TimeInterval?

    @Option(
        help: ArgumentHelp(
            "Keys of aps to leave readable, with commas or repeated.", valueName: "keys"))
    var expose: [CommaList<ExposedKey>] = []

    @Option(
        help: ArgumentHelp(
            "Texts to shorten if the payload is too long, in this order.", valueName: "fields"))
    var truncate: [CommaList<AlertField>] = []

    @Option(
        help: ArgumentHelp(
            "Ignore a rule by its ID (see 'pushcrypt lint --rules'). May be repeated.",
            valueName: "rule"),
        completion: .list(Rule.all.map(\.id.rawValue)))
    var ignore: [CommaList<Rule.ID>] = []

    @Option(
        help: ArgumentHelp(
            "The visible title if no extension opens the message.", valueName: "text"))
    var placeholderTitle: String?

    @Option(help: ArgumentHelp("The visible text. Default: (Encrypted).", valueName: "text"))
    var placeholderBody: String?

    @Option(help: ArgumentHelp("The title's key in the app's string table.", valueName: "key"))
    var placeholderTitleLocKey: String?

    @Option(help: ArgumentHelp("The text's key in the app's string table.", valueName: "key"))
    var placeholderLocKey: String?

    func validate() throws {
        for (text, key, names) in [
            (placeholderTitle, placeholderTitleLocKey, ("title", "title-loc-key")),
            (placeholderBody, placeholderLocKey, ("body", "loc-key")),
        ] where text != nil && key != nil {
            throw ValidationError(
                "Give '--placeholder-\(names.0)' or '--placeholder-\(names.1)', not both.")
        }
    }

    func sealer(_ sender: SenderAuthentication, padding: Padding = .buckets) -> Sealer {
        func line(_ text: String?, _ key: String?) -> LocalizableText? {
            text.map { .text($0) } ?? key.map { .localized(key: $0) }
        }
        let placeholder = Placeholder(
            title: line(placeholderTitle, placeholderTitleLocKey),
            body: line(placeholderBody, placeholderLocKey) ?? "(Encrypted)")
        var sealer = Sealer(
            sender, padding: padding, placeholder: placeholder,
            exposedKeys: Set(expose.flatMap(\.elements)),
            truncatableFields: truncate.flatMap(\.elements),
            ignoredRules: Set(ignore.flatMap(\.elements)))
        if let lifetime { sealer.lifetime = lifetime }
        return sealer
    }
}
