internal import ArgumentParser
internal import Foundation
internal import PushCryptSender

struct AttachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Seal an image, a sound or a video for a web server.",
        discussion: """
            Upload the output to the URL. Standard output gets one JSON object with the file's \
            key. Merge it into the payload, as with 'jq -s add', and seal the payload. The device \
            downloads the file and shows it with the notification.

            Example: pushcrypt attach photo.jpg --url https://media.example.com/4e1f -o \
            photo.sealed > attachment.json
            """)

    @Argument(
        help: ArgumentHelp(
            "An image up to 10 MB, audio up to 5 MB, or a video up to 50 MB.", valueName: "file"),
        completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The address from which devices will download the output.", valueName: "url"))
    var url: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write the sealed file atomically to this file, replacing it.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "The name on the device. Default: the name of the file.", valueName: "name"))
    var name: String?

    @Flag(help: "Do not show a thumbnail.") var hideThumbnail = false

    func validate() throws {
        try PathArgument.check(file, for: "file")
        try PathArgument.check(output, for: "--output")
        guard file != "-", output != "-" else {
            throw ValidationError(
                "Name files for the input and the output. Standard input has no length in advance.")
        }
    }

    func run() throws {
        try KeyFileGuard.check(output)
        if url.lowercased().hasPrefix("http:") {
            Output.warning("the URL begins with http:, and devices refuse to download without TLS")
        }
        var payload = Payload(aps: nil)
        payload.attachments = [try seal()]
        try Output.line(String(decoding: payload.json(), as: UTF8.self))
    }

    /// Seals the file, and displays the progress on a terminal.
    private func seal() throws(PushCryptError) -> MediaAttachment {
        var progress = TransferProgress("sealed")
        defer { progress.clear() }
        return try MediaAttachment(
            sealing: file, to: output, url: url,
            name: name ?? URL(fileURLWithPath: file).lastPathComponent,
            hidesThumbnail: hideThumbnail,
            progress: { progress.update($0, of: $1) })
    }
}
