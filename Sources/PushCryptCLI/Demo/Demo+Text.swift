internal import PushCryptReceiver
internal import PushCryptSender

// The summary fits a terminal of 24 lines and 80 columns, with the prompts before and after it.
extension Demo {
    private static let indentation = 2

    /// Returns the contrast between the three readers of a push, and one line for each scene; the
    /// story may precede it.
    func summary(_ style: TextStyle, isComplete: Bool) -> String {
        let width = scenes.map(\.title.count).max() ?? 0
        let rows = scenes.map { scene in
            let code = scene.shown.outcome.failure?.code.rawValue ?? "opened"
            let body = style.yellow(scene.shown.content.body)
            return "  \(scene.title.padded(to: width))  \(body)  \(code)"
        }
        let next =
            isComplete
            ? "Next: follow 'Command line' in the README." : "Next: pushcrypt demo --full"
        return """
            \(style.bold("The server sealed a card payment for one device, and signed it."))
            \(rows.joined(separator: "\n"))

            \(style.red("APPLE SAW")) \(push.payload.count) of 4096 bytes, and no word of the \
            original:
            \(abbreviatedPayload)

            \(style.yellow("AN ATTACKER GOT")) the same bytes, and a forged alert displays:
            \(banner(scenes[2].shown))

            \(style.green("THE USER READ"))
            \(banner(shown))

            \(next)
            """
    }

    /// Returns each step with its values.
    func story() -> String {
        let scenes = scenes.map { scene in
            let reason = scene.shown.outcome.failure.map { "\n  \($0.code): \($0.reason)" } ?? ""
            return "  \(scene.title):\n\(banner(scene.shown))\(reason)\n"
        }
        return """
            1. The device creates a key pair and registers the public key with the server:

            \(indented(key.jwk))

            2. The server has a payload, as it would send it today:

            \(indented(DemoPayload.original))

            3. Sealed for the device and signed by the server, this is what Apple sees:

            \(indented(String(decoding: push.payload, as: UTF8.self)))

            4. The device displays a fallback if something is wrong:

            \(scenes.joined(separator: "\n"))
            """
    }

    /// The sealed payload on two lines, with the first characters of the sealed value.
    private var abbreviatedPayload: String {
        let text = String(decoding: push.payload, as: UTF8.self)
        let name = "\"\(Envelope.payloadKey)\":\""
        guard let range = text.firstRange(of: name) else { return indented(text) }
        let start = text[..<range.lowerBound]
        return indented("\(start)\n\(name)\(text[range.upperBound...].prefix(44))…\"}")
    }

    private func banner(_ shown: Presented) -> String {
        indented(LockScreen.drawing(shown.content, indentation: Self.indentation))
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: Self.indentation) + $0 }.joined(separator: "\n")
    }
}
