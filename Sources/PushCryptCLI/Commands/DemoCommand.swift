internal import ArgumentParser
internal import PushCryptSender

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract:
            """
            Seal, deliver and open a message with new keys, and show what happens in attacks and \
            accidents.
            """,
        discussion: """
            Runs the code that servers and extensions use. Needs no network and no files. Colors \
            appear on a terminal \
            only, unless NO_COLOR is set. The exit status is 0 if every scene ends as expected.

            Example: pushcrypt demo --full
            """)

    @Flag(help: "Print the key, the original, the sealed push and each scene, too.") var full =
        false

    func run() throws {
        let demo = try Demo()
        let style = TextStyle.ofStandardOutput
        if full { try Output.line(demo.story()) }
        try Output.line(demo.summary(style, isComplete: full))
        if let complaint = demo.complaint {
            Output.error("\(complaint); this is a bug in PushCrypt")
            throw ExitStatus.input
        }
    }
}
