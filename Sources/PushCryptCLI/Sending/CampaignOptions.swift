internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

/// The options of `send --lines`.
struct CampaignOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With '--lines': the pushes in flight, from 1 to 10000. Default: 500.",
            valueName: "number"))
    var concurrency: Int?

    @Option(
        help: ArgumentHelp(
            "With '--lines': the connections, from 1 to 100. Default: 2.", valueName: "number"))
    var connections: Int?

    @Option(
        help: ArgumentHelp(
            """
            With '--lines': wait at most this long if APNs can't be reached. 0s: don't wait. \
            Default: 1h.
            """,
            valueName: "period"))
    var patience: String?

    @Flag(help: "With '--lines': write each answer when it comes, with the number of its line.")
    var unordered = false

    @Option(
        help: ArgumentHelp(
            """
            With '--lines': send the lines again that this earlier output has as unsent, and \
            repeat the others.
            """,
            valueName: "file"),
        completion: .file())
    var retry: String?

    func validate() throws {
        try PathArgument.check(retry, for: "--retry")
        guard (1...10_000).contains(concurrency ?? 1) else {
            throw ValidationError("Give '--concurrency' a number from 1 to 10000.")
        }
        guard (1...100).contains(connections ?? 1) else {
            throw ValidationError("Give '--connections' a number from 1 to 100.")
        }
        if let patience { _ = try Period.seconds(patience) }
        guard retry == nil || !unordered else {
            throw ValidationError("'--retry' keeps the places of the lines. Remove '--unordered'.")
        }
    }

    /// The first option that is given, to tell that it requires '--lines'; `nil` if none is.
    var firstGiven: String? {
        let given = [
            ("--concurrency", concurrency != nil), ("--connections", connections != nil),
            ("--patience", patience != nil), ("--unordered", unordered), ("--retry", retry != nil),
        ]
        return given.first { $0.1 }?.0
    }

    /// The settings of the campaign.
    var settings: CampaignSettings {
        var settings = CampaignSettings()
        if let concurrency { settings.concurrency = concurrency }
        if let patience = patience.flatMap({ try? Period.seconds($0) }) {
            settings.patience = patience
        }
        settings.keepsOrder = !unordered
        return settings
    }
}
