internal import ArgumentParser

/// The server that takes pushes: Apple's, or one for tests.
struct APNsServerOptions: ParsableArguments {
    @Flag(help: "Send to apps that Xcode has installed.") var sandbox = false
    @Option(
        help: ArgumentHelp("443 or 2197. Default: 443.", valueName: "number"),
        completion: .list(["443", "2197"]))
    var port: Int?
    @Option(help: ArgumentHelp("Another server, for tests.", valueName: "name")) var host: String?

    @Option(
        help: ArgumentHelp(
            "The only certificates that may sign that server's, in PEM.", valueName: "file"),
        completion: .file())
    var ca: String?

    @Option(
        help: ArgumentHelp(
            """
            Share the provider token with other processes through this file. Default: one in \
            $XDG_CACHE_HOME/pushcrypt, or ~/.cache/pushcrypt.
            """,
            valueName: "file"),
        completion: .file())
    var tokenFile: String?

    func validate() throws {
        guard host != nil && !sandbox || host == nil && ca == nil else {
            throw ValidationError(
                "'--ca' requires '--host', which excludes '--sandbox'. Correct them.")
        }
        for (path, option) in [(tokenFile, "--token-file"), (ca, "--ca")] {
            try PathArgument.check(path, for: option)
        }
    }
}
