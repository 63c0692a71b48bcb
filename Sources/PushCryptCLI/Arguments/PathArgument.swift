internal import ArgumentParser

/// A path on the command line.
enum PathArgument {
    /// Refuses what is no path but a key or a payload: messages repeat paths, and must not repeat those.
    static func check(_ argument: String?, for option: String) throws {
        guard let argument else { return }
        guard !argument.isEmpty else { throw ValidationError("The value of '\(option)' is empty.") }
        guard !argument.contains(where: { $0 == "{" || $0 == "\"" || $0.isNewline }) else {
            throw ValidationError(
                "The value of '\(option)' is no file's name but contents. Put them into a file, and take a private key for lost."
            )
        }
    }
}
