internal import ArgumentParser
internal import PushCryptSender

/// The headers of a request to APNs.
struct HeaderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The app's bundle ID, with the suffix of the push type.", valueName: "topic"))
    var topic: String?

    @Option(help: "The push type. Default: alert.") var type: PushType?
    @Option(
        help: ArgumentHelp("The urgency: 10, 5 or 1.", valueName: "number"),
        completion: .list(["10", "5", "1"]))
    var priority: String?

    @Option(
        help: ArgumentHelp(
            "The end of the attempts: a period as in 12h, or seconds since 1970. 0: one attempt.",
            valueName: "time"),
        transform: ExpirationArgument.init)
    var expiration: ExpirationArgument?

    @Option(help: ArgumentHelp("A push replaces an earlier one with the same ID.", valueName: "id"))
    var collapseId: String?
}
