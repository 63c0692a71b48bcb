internal import ArgumentParser
internal import PushCryptSender

/// Which rules are not asked for.
struct IgnoreOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A rule that is not asked for, by the name that a finding ends with; with commas between several, or repeated.",
            valueName: "rule"))
    var ignore: [String] = []

    func validate() throws {
        _ = try rules()
    }

    /// The rules.
    func rules() throws -> Set<Rule.ID> {
        try Set(
            ignore.flatMap { $0.split { $0 == "," || $0 == " " } }.map { name in
                let id = Rule.ID(rawValue: String(name))
                guard Rule.all.contains(where: { $0.id == id }) else {
                    throw ValidationError("There is no rule '\(name)'. Docs/Payloads.md lists them.")
                }
                return id
            })
    }
}
