internal import ArgumentParser
internal import PushCryptSender

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what Apple can read of a payload, and how many bytes are left.",
        discussion: "Needs no key.\n\nExample: pushcrypt inspect sealed.json")

    @Flag(help: "Print one JSON object.") var json = false
    @Option(help: "The push type. It decides how many bytes APNs accepts.") var type: PushType = .alert

    @OptionGroup var data: DataOptions

    func run() throws {
        let inspection = try Inspection(data.read(), limit: type.maximumPayloadLength)
        try data.write(Array(((json ? try inspection.json() : inspection.text) + "\n").utf8), isPrivate: false)
        if let problem = inspection.problem { throw problem }
        if inspection.sealedValues.isEmpty { Output.warning("the payload is not sealed: Apple can read all of it") }
    }
}
