internal import ArgumentParser
internal import Foundation
internal import PushCryptAPNs

struct SendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a sealed payload with APNs.",
        discussion: """
            The input is the output of 'pushcrypt seal --envelope', or of 'pushcrypt seal' with \
            the options for its headers. Standard output gets "status" and "apns-id" as JSON if \
            APNs accepts the push. The exit status is 65 if the push or its device token is wrong, \
            and 1 if only the attempt failed, or the credentials are wrong.

            With '--lines', the input is the output of 'pushcrypt seal --lines', and each line has \
            a device token as "token". Its answer has "status" and "apns-id" instead of "payload" \
            and "headers". If the push isn't accepted, the answer also has "line" and "error" with \
            an "advice". Lines that 'seal' refused stay unchanged. Options are for headers that an \
            envelope or a line lacks.

            A line whose push is to be sent again keeps "payload" and "headers", and '--retry OLD \
            -o NEW' sends it. If APNs can't be reached, the command waits. After an interruption, \
            a kill, the end of '--patience' or wrong credentials, '--resume' continues the output. \
            Beside it, FILE.journal has the pushes without an answer, which are sent again with \
            the same "apns-id". The exit status is 1 while a line isn't sent, and 65 if the others \
            are refused for good.

            Requires a build with '\(ToolVersion.buildWithAPNs)'.

            Example: pushcrypt send --p8 AuthKey.p8 --key-id ABC123DEFG --team-id DEF123GHIJ \
            --topic com.example.app --device TOKEN sealed.json
            """)

    @Option(
        help: ArgumentHelp(
            "The key of the developer account for APNs (AuthKey_….p8).", valueName: "file"),
        completion: .file())
    var p8: String

    @Option(help: ArgumentHelp("The ID of that key.", valueName: "id")) var keyId: String
    @Option(help: ArgumentHelp("The ID of the team in the developer account.", valueName: "id"))
    var teamId: String

    @Flag(
        help:
            """
            The key is a mounted secret: a link, or a file that others may read. You must protect \
            it.
            """)
    var mounted = false

    @Option(help: ArgumentHelp("The device token, in hexadecimal.", valueName: "token")) var device:
        String?
    @Flag(help: "Also send what isn't sealed.") var unsealed = false

    @OptionGroup(title: "Server") var server: APNsServerOptions
    @OptionGroup(title: "Campaign") var campaign: CampaignOptions
    @OptionGroup(title: "Headers") var headers: HeaderOptions
    @OptionGroup(title: "Lines") var lines: LineOptions
    @OptionGroup var data: DataOptions

    func validate() throws {
        guard lines.lines != (device != nil) else {
            throw ValidationError(
                "The device is missing or ambiguous. Give '--device TOKEN' or '--lines', not both.")
        }
        guard !lines.resume || data.output != "-" else {
            throw ValidationError("'--resume' continues a file. Add '-o FILE'.")
        }
        if let option = campaign.firstGiven, !lines.lines {
            throw ValidationError("'\(option)' requires '--lines'. Add it.")
        }
        guard campaign.retry == nil || data.input == "-" else {
            throw ValidationError(
                "'--retry' reads the earlier output instead of an input. Name one of them.")
        }
        try access.check()
        try data.check(beside: access.files + [campaign.retry])
    }

    private var access: APNsAccess {
        APNsAccess(p8: p8, keyID: keyId, teamID: teamId, isMounted: mounted, server: server)
    }

    #if APNs
    func run() throws {
        try APNsHeaders(HeaderFields(headers)).check()
        headers.expiration?.warnIfPast()
        if let device {
            try sendOne(to: device)
        } else {
            try sendLines()
        }
    }

    private func sendLines() throws {
        let client = try client()
        defer { waiting { await client.shutDown() } }
        let run = CampaignRun(
            options: campaign, data: data, headers: headers, resumes: lines.resume)
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
        try access.client(connections: campaign.connections ?? 2, sealedOnly: !unsealed)
    }
    #else
    func run() throws { throw ValidationError("") }
    #endif
}
