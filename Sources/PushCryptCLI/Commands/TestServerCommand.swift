internal import ArgumentParser
internal import PushCryptSender

struct TestServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "testserver",
        abstract: "Run a server that stands in for APNs on this machine, for tests.",
        discussion: """
            The server checks requests as Apple documents it, answers as APNs does, and sends \
            nothing. DIRECTORY gets its credentials: key.p8 with the ID KEY1234567 of the team \
            TEAM123456, the certificate ca.pem to trust, and client.pem with client.key. They are \
            the same for everyone, and protect nothing.

            The first line of standard output is one JSON object with host, port, key ID, team ID \
            and topic. Then each accepted push is one line. The server ends after an interruption.

            Requires a build with '\(ToolVersion.buildWithAPNs)'.

            Example: pushcrypt testserver --port 2197
            """)

    @Argument(
        help: ArgumentHelp("Write the credentials into this directory.", valueName: "directory"),
        completion: .directory)
    var directory = "apns"

    @Option(
        help: ArgumentHelp("The port. Default: any that is free.", valueName: "number"),
        completion: .list(["2197"]))
    var port = 0
    @Option(help: ArgumentHelp("The bundle ID of the app.", valueName: "id")) var topic =
        "com.example.app"
    @Flag(help: "Answer some first attempts with faults: outages, resets, lost answers.")
    var faults = false
    @Flag(help: "Also end at the end of standard input, for scripts.") var endWithInput = false

    func validate() throws {
        try PathArgument.check(directory, for: "directory")
        guard (0...65535).contains(port) else {
            throw ValidationError("'--port' isn't valid. Give 0 to 65535.")
        }
        guard topic.wholeMatch(of: /[A-Za-z0-9.-]+/) != nil else {
            throw ValidationError("'--topic' isn't valid. Use letters, digits, hyphens and dots.")
        }
    }

    #if APNs
    func run() throws {
        try TestServerRun(port: port, topic: topic, hasFaults: faults, endsWithInput: endWithInput)
            .run(in: directory)
    }
    #else
    func run() throws { throw ValidationError("") }
    #endif
}
