internal import ArgumentParser
internal import PushCryptSender

/// Which texts may be cut.
struct TruncateOption: ParsableArguments {
    private static let known = AlertField.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(
        help: ArgumentHelp(
            "Texts that may be cut where the payload is too long, in this order, with commas between them or repeated: \(known).",
            valueName: "fields"))
    var truncate: [String] = []

    func validate() throws {
        _ = try fields()
    }

    /// The texts.
    func fields() throws -> [AlertField] {
        try truncate.flatMap { $0.split { $0 == "," || $0 == " " } }.map { name in
            guard let field = AlertField(rawValue: String(name)) else {
                throw ValidationError("No text called '\(name)' can be cut. There are: \(Self.known).")
            }
            return field
        }
    }
}
