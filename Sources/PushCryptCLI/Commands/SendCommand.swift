internal import ArgumentParser
internal import Foundation
internal import PushCryptAPNs
internal import PushCryptSystem

#if APNs
internal import Logging
#endif

struct SendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a sealed payload with APNs.",
        discussion: """
            The input is the output of 'pushcrypt seal --envelope', or of 'pushcrypt seal' with the options for its \
            headers. Standard output gets "status" and "apns-id" as JSON if APNs accepts the push. The exit status is \
            65 if the push or its device token is wrong, and 1 if only the attempt failed, or the credentials are \
            wrong.

            With '--lines', the input is the output of 'pushcrypt seal --lines', and each line has a device token as \
            "token". Its answer has "status" and "apns-id" instead of "payload" and "headers". If the push isn't \
            accepted, the answer also has "line" and "error" with an "advice". Lines that 'seal' refused stay \
            unchanged. Options are for headers that an envelope or a line lacks.

            A line whose push is to be sent again keeps "payload" and "headers", and '--retry OLD -o NEW' sends it. \
            If APNs can't be reached, the command waits. After an interruption, a kill, the end of '--patience' or \
            wrong credentials, '--resume' continues the output. Beside it, FILE.journal has the pushes without an \
            answer, which are sent again with the same "apns-id". The exit status is 1 while a line isn't sent, and \
            65 if the others are refused for good.

            Requires a build with '\(build)'.

            Example: pushcrypt send --p8 AuthKey.p8 --key-id ABC123DEFG --team-id DEF123GHIJ --topic com.example.app \
            --device TOKEN sealed.json
            """)

    /// The command that builds a tool with this command.
    static let build = "swift build -c release --traits APNs --product pushcrypt"

    @Option(
        help: ArgumentHelp("The key of the developer account for APNs (AuthKey_….p8).", valueName: "file"),
        completion: .file())
    var p8: String

    @Option(help: ArgumentHelp("The ID of that key.", valueName: "id")) var keyId: String
    @Option(help: ArgumentHelp("The ID of the team in the developer account.", valueName: "id")) var teamId: String

    @Flag(help: "The key is a mounted secret: a link, or a file that others may read. You must protect it.")
    var mounted = false

    @Option(
        help: ArgumentHelp(
            """
            Share the provider token with other processes through this file. Default: one in \
            $XDG_CACHE_HOME/pushcrypt, or ~/.cache/pushcrypt.
            """,
            valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("The device token, in hexadecimal.", valueName: "token")) var device: String?
    @Flag(help: "Send to apps that Xcode has installed.") var sandbox = false
    @Option(help: ArgumentHelp("443 or 2197. Default: 443.", valueName: "number"), completion: .list(["443", "2197"]))
    var port: Int?
    @Option(help: ArgumentHelp("Another server, for tests.", valueName: "name")) var host: String?

    @Option(
        help: ArgumentHelp("The only certificates that may sign that server's, in PEM.", valueName: "file"),
        completion: .file())
    var ca: String?

    @Flag(help: "Also send what isn't sealed.") var unsealed = false

    @OptionGroup var campaign: CampaignOptions
    @OptionGroup var headers: HeaderOptions
    @OptionGroup var lines: LineOptions
    @OptionGroup var data: DataOptions

    func validate() throws {
        guard lines.lines != (device != nil) else {
            throw ValidationError("The device is missing or ambiguous. Give '--device TOKEN' or '--lines', not both.")
        }
        guard !lines.resume || data.output != "-" else {
            throw ValidationError("'--resume' continues a file. Add '-o FILE'.")
        }
        if let option = campaign.firstGiven, !lines.lines {
            throw ValidationError("'\(option)' requires '--lines'. Add it.")
        }
        guard campaign.retry == nil || data.input == "-" else {
            throw ValidationError("'--retry' reads the earlier output instead of an input. Name one of them.")
        }
        // The IDs are parts of the name of a file, too.
        for (id, option) in [(keyId, "--key-id"), (teamId, "--team-id")] {
            guard id.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil else {
                throw ValidationError("The ID after '\(option)' isn't valid. Give 10 letters and digits.")
            }
        }
        guard host != nil && !sandbox || host == nil && ca == nil else {
            throw ValidationError("'--ca' requires '--host', which excludes '--sandbox'. Correct them.")
        }
        for (path, option) in [(p8, "--p8"), (tokenFile, "--token-file"), (ca, "--ca")] {
            try PathArgument.check(path, for: option)
        }
        try data.check(beside: [p8, tokenPath, ca, campaign.retry])
    }

    private var tokenPath: String {
        let cache = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let directory = cache ?? NSHomeDirectory() + "/.cache"
        return tokenFile ?? "\(directory)/pushcrypt/apns-\(keyId)-\(teamId).token"
    }

    #if APNs
    func run() throws {
        try APNsHeaders(HeaderFields(headers)).check()
        if let device {
            try sendOne(to: device)
        } else {
            try sendLines()
        }
    }

    private func sendLines() throws {
        let client = try client()
        defer { waiting { await client.shutDown() } }
        let run = CampaignRun(options: campaign, data: data, headers: headers, resumes: lines.resume)
        try run.run { APNsPushSender(client, $0) }
    }

    private func sendOne(to device: String) throws {
        let push = try SinglePush(data, headers, device: device)
        let client = try client()
        defer { waiting { await client.shutDown() } }
        let answer = try push.send { APNsPushSender(client, $0) }
        try data.write(answer, isPrivate: false)
    }

    private func client() throws -> APNsClient {
        let key = try naming("--p8") { () throws(PushCryptError) in try SecretFile(p8).read(isPrivate: !mounted) }
        let authentication = try APNsAuthentication.token(
            p8: key.withSpan { String(decoding: [UInt8](copying: $0), as: UTF8.self) },
            keyID: keyId, teamID: teamId, tokenFile: sharedTokenFile())
        var environment = sandbox ? APNsEnvironment.sandbox : .production
        if let host {
            environment = try APNsEnvironment(
                host: host, port: 443, trusting: ca.map { String(decoding: try Input.text($0), as: UTF8.self) })
        }
        if let port { environment.port = port }
        return try APNsClient(
            authentication, environment: environment, sealedOnly: !unsealed,
            connections: campaign.connections ?? 2,
            logger: Logger(label: "pushcrypt.apns") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Returns the path of the file with the provider token, and warns if it can't be used.
    private func sharedTokenFile() -> String {
        do throws(PushCryptError) {
            if tokenFile == nil { try FileSystem.createDirectory(FileSystem.directory(of: tokenPath)) }
            try DataOptions.checkDirectory(of: tokenPath)
            _ = try SecretFile(tokenPath).readIfPresent()
        } catch {
            Output.warning("the provider token isn't shared with other processes: \(error.reason)")
        }
        return tokenPath
    }
    #else
    func run() throws { throw ValidationError("") }
    #endif
}
