internal import ArgumentParser
internal import PushCryptSender

/// What is shown where nothing opens the message.
struct PlaceholderOption: ParsableArguments {
    @Option(
        name: .customLong("placeholder-title"),
        help: ArgumentHelp("The visible title of what is shown where nothing opens the message.", valueName: "text"))
    var title: String?

    @Option(
        name: .customLong("placeholder-subtitle"),
        help: ArgumentHelp("The visible subtitle of the same.", valueName: "text"))
    var subtitle: String?

    @Option(
        name: .customLong("placeholder-body"),
        help: ArgumentHelp("The visible text of the same. Default: (Encrypted).", valueName: "text"))
    var body: String?

    @Option(
        name: .customLong("placeholder-title-loc-key"),
        help: ArgumentHelp("The title's key in the app's string table, instead of a text.", valueName: "key"))
    var titleKey: String?

    @Option(
        name: .customLong("placeholder-subtitle-loc-key"),
        help: ArgumentHelp("The subtitle's key, likewise.", valueName: "key"))
    var subtitleKey: String?

    @Option(
        name: .customLong("placeholder-loc-key"),
        help: ArgumentHelp("The text's key, likewise.", valueName: "key"))
    var bodyKey: String?

    func validate() throws {
        for (text, key, name) in [
            (title, titleKey, "title-"), (subtitle, subtitleKey, "subtitle-"), (body, bodyKey, ""),
        ] {
            guard text == nil || key == nil else {
                let option = name.isEmpty ? "body" : String(name.dropLast())
                throw ValidationError(
                    "Give '--placeholder-\(option)' or '--placeholder-\(name)loc-key', not both.")
            }
        }
    }

    /// The placeholder.
    var placeholder: Placeholder {
        Placeholder(
            title: Self.line(title, titleKey), subtitle: Self.line(subtitle, subtitleKey),
            body: Self.line(body, bodyKey) ?? "(Encrypted)")
    }

    private static func line(_ text: String?, _ key: String?) -> Placeholder.Line? {
        text.map { .text($0) } ?? key.map { .localized(key: $0) }
    }
}
