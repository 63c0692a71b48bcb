internal import ArgumentParser
internal import PushCryptRules
internal import PushCryptSender

/// Shows what is visible on the way.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what everyone on the way can read of a payload, and how many bytes are left.",
        discussion: "No key is needed: what this prints, everyone sees.")

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(help: "The push type, which decides how many bytes APNs takes.")
    var type: PushType = .alert

    @OptionGroup var output: OutputOption
    @OptionGroup var input: InputArgument

    func validate() throws {
        try output.check(beside: [input.input])
    }

    func run() throws {
        let inspection = try Inspection(input.read(), limit: type.maximumPayloadLength)
        try output.write(Array(((json ? try inspection.json() : inspection.text) + "\n").utf8), isPrivate: false)
        if let problem = inspection.problem { throw problem }
        if inspection.sealedValues.isEmpty {
            Output.warning("the payload is not sealed: everyone on the way can read all of it")
        }
    }
}
