internal import ArgumentParser
internal import PushCryptSender

/// Which keys stay visible.
struct ExposeOption: ParsableArguments {
    private static let known = ExposedKey.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(
        help: ArgumentHelp(
            "Keys of the payload's aps to leave visible, with commas between them or repeated: \(known).",
            valueName: "keys"))
    var expose: [String] = []

    func validate() throws {
        _ = try keys()
    }

    /// The keys.
    func keys() throws -> Set<ExposedKey> {
        try Set(
            expose.flatMap { $0.split { $0 == "," || $0 == " " } }.map { name in
                guard let key = ExposedKey(rawValue: String(name)) else {
                    throw ValidationError("Nothing called '\(name)' can be exposed. There are: \(Self.known).")
                }
                return key
            })
    }
}
