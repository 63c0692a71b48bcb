internal import ArgumentParser
internal import PushCryptSender

struct SealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Seal a payload for one device.",
        discussion: """
            The input is the payload as you would send it without PushCrypt. Standard output gets \
            the payload to send \
            instead, byte for byte. Standard error gets the findings of 'pushcrypt lint'.

            With '--envelope', it gets one line instead: a JSON object with the "payload" and the \
            "headers" of the request. 'pushcrypt send' reads it, so that the push type, the \
            expiration and the topic aren't lost.

            With '--lines', each line is a JSON object with the device's key as "to" and a \
            "payload". Its answer has the sealed payload, and the "headers" of the request instead \
            of "to". The members "type", "lifetime", "collapse-id", "topic" and "priority" replace \
            options. Other members stay unchanged. An invalid line is answered with "line" and \
            "error", and the exit status is 65. If it is 1, lines may be unanswered.

            A registration tells which keys its device accepts. The primary key signs if it is one \
            of them, otherwise \
            the newest retired key that is. If none is, the error is no-accepted-key.

            '--carrier' writes the request of a service that sends pushes: its whole body as JSON, \
            without your credentials. With '--lines', each line has the device's "token", and the \
            answer's "payload" is the body.

            '--sign-command' signs outside of this process. It is a program with arguments, \
            separated by spaces, without a shell. It gets lines on standard input: the message in \
            base64url. It answers each with a line: the Ed25519 signature, 64 bytes, in base64url. \
            The message contains the payload. Each thread has its own.

            Example: pushcrypt seal --to device.jwk --sign-with server.jwks payload.json
            Example: pushcrypt seal --to device.jwk --sign-command './sign --key 7' --signer \
            server.jwk payload.json
            """)

    // Unconditional, because one raw key in 64 begins with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            The device's public key: a JWK, a registration, a file that holds one, or the raw key.
            """,
            valueName: "key"),
        completion: .file())
    var to: [String] = []

    @OptionGroup(title: "Sender") var sender: SigningOptions

    @Option(
        help:
            """
            Hide the length: pad to 256, 512, 1024, 2048 bytes or more (buckets), to the maximum, \
            or not.
            """)
    var padding: Padding = .buckets

    @Option(
        help: ArgumentHelp(
            "With '--lines': the payload of lines without their own.", valueName: "file"),
        completion: .file())
    var payload: String?

    @Flag(
        help:
            "Write one line with the payload and the headers of the request, for 'pushcrypt send'.")
    var envelope = false

    @OptionGroup(title: "Carrier") var carriers: CarrierOptions

    @Option(help: "With '--envelope', '--lines' or '--carrier': the header apns-topic.") var topic:
        String?

    @Option(
        help: ArgumentHelp(
            "With '--envelope', '--lines' or '--carrier': the header apns-priority.",
            valueName: "number"))
    var priority: APNsHeaders.Priority?

    @Option(
        help: ArgumentHelp(
            "With '--envelope', '--lines' or '--carrier': the header apns-collapse-id.",
            valueName: "id"))
    var collapseId: String?

    @Option(
        help: ArgumentHelp(
            """
            With '--envelope', '--lines' or '--carrier': the end of APNs' attempts, a period as in \
            12h or seconds since 1970. 0: one attempt. Default: the lifetime, which is also the \
            latest end.
            """,
            valueName: "time"),
        transform: ExpirationArgument.init)
    var expiration: ExpirationArgument?

    @Flag(help: "Write a file for 'xcrun simctl push' and the Simulator, as in '-o message.apns'.")
    var simulator = false

    @Option(help: ArgumentHelp("With '--simulator': the app's bundle ID.", valueName: "id"))
    var bundleId: String?

    @OptionGroup(title: "Lines") var lines: LineOptions
    @OptionGroup(title: "Lines") var threads: ThreadOption
    @OptionGroup(title: "Message") var options: SealingOptions
    @OptionGroup var data: DataOptions

    // MARK: Checks

    func validate() throws {
        try threads.check(beside: lines)
        if lines.lines {
            try checkLines()
        } else {
            try checkOneDevice()
        }
        try checkSimulator()
        try carriers.check(isLines: lines.lines)
        try checkEnvelope()
        try PathArgument.check(payload, for: "--payload")
        try sender.checkIsChosen()
        try sender.passphrase.check(beside: data)
        try data.check(beside: [sender.signWith, sender.passphrase.file, payload] + to)
    }

    /// Each line names its device, and standard input has the lines.
    private func checkLines() throws {
        let isPayloadInput = ["-", "/dev/stdin", "/dev/fd/0"].contains(payload)
        guard to.isEmpty else {
            throw ValidationError(
                "With '--lines', each line names its device as \"to\". Remove '--to'.")
        }
        guard !isPayloadInput else {
            throw ValidationError(
                "With '--lines', standard input has the lines. Name a file for '--payload'.")
        }
    }

    private func checkOneDevice() throws {
        guard !to.isEmpty || sender.isChosen else {
            throw ValidationError(
                """
                The device and the sender are missing. Give '--to KEY', and '--sign-with KEYRING' \
                or '--anonymous'.
                """)
        }
        guard to.count == 1 else {
            throw ValidationError(
                "The device is \(to.isEmpty ? "missing" : "given twice"). Give '--to KEY' once.")
        }
        guard payload == nil else {
            throw ValidationError(
                "'--payload' requires '--lines'. Add it, or name the payload alone.")
        }
        for (name, isGiven) in [
            ("--topic", topic != nil), ("--priority", priority != nil),
            ("--collapse-id", collapseId != nil), ("--expiration", expiration != nil),
        ] where isGiven && !envelope && !carriers.isWrapping {
            throw ValidationError(
                "'\(name)' requires '--envelope', '--lines' or '--carrier'. Add one of them.")
        }
    }

    private func checkEnvelope() throws {
        guard !envelope || !lines.lines && !simulator else {
            throw ValidationError(
                "'--envelope' excludes '--lines' and '--simulator'. Remove one of them.")
        }
    }

    private func checkSimulator() throws {
        let hasBoth = simulator && bundleId != nil && !lines.lines
        let hasNeither = !simulator && bundleId == nil
        guard hasBoth && !carriers.isWrapping || hasNeither else {
            throw ValidationError(
                """
                '--simulator' and '--bundle-id' require each other, and exclude '--lines' and \
                '--carrier'.
                """)
        }
        guard let bundleId else { return }
        guard bundleId.wholeMatch(of: /[A-Za-z0-9.-]{1,155}/) != nil else {
            throw ValidationError(
                "The bundle ID isn't valid. Give letters, digits, hyphens and periods.")
        }
    }

    // MARK: Sealing

    func run() throws {
        expiration?.warnIfPast()
        if lines.lines {
            return try lines.run(data, isPrivate: false, threads: threads.count, lineSealing)
        }
        let recipient = try KeyArgument.recipient(to[0], for: "--to")
        let choice = try sender.choice()
        choice.hint(for: recipient)
        let sealer = sealer(choice)
        let headers = headers()
        let json = try readPayload()
        let push: SealedPush
        do throws(PushCryptError) {
            push = try sealer.seal(json: json, for: recipient, headers: headers)
        } catch {
            if String(decoding: json, as: UTF8.self).contains("}\n{") { Self.suggestLines() }
            throw error
        }
        let warnings = SealingWarnings(sealer: sealer, headers: headers)
        try warnings.display(for: json, truncations: push.truncations)
        if let id = push.headers.collapseID, !envelope, !carriers.isWrapping {
            Output.hint("add the header apns-collapse-id: \(id)")
        }
        try data.write(try output(for: push), isPrivate: false)
    }

    /// Returns the work of `--lines`.
    func lineSealing() throws -> LineSealing {
        let choice = try sender.choice()
        return try LineSealing(
            LineSealing.Settings(
                choice: choice, carriers: carriers, sealer: sealer(choice), headers: headers(),
                priority: priority, expiration: expiration?.expiration, payload: payload))
    }

    private func readPayload() throws(PushCryptError) -> [UInt8] {
        do throws(PushCryptError) {
            return try data.read()
        } catch {
            if error.code == .payloadTooLarge { Self.suggestLines() }
            throw error
        }
    }

    private static func suggestLines() {
        Output.hint("if each line is for a device, use '--lines'")
    }

    /// Returns the payload, the carrier's request, or with `--envelope` the line with the headers
    /// of either.
    ///
    /// With `--simulator`, the app's bundle ID is the first member of the payload.
    private func output(for push: SealedPush) throws(PushCryptError) -> [UInt8] {
        if let token = carriers.device {
            let request = try carriers.request(for: push, to: token)
            if envelope { return SealedLine.object(of: request).object + [UInt8(ascii: "\n")] }
            return request.body
        }
        if envelope { return SealedLine.object(of: push).object + [UInt8(ascii: "\n")] }
        guard let bundleId else { return push.payload }
        Output.hint(
            """
            'simctl push' runs no extension, so a simulator shows the placeholder; send by APNs to \
            see the original
            """)
        var payload = push.payload
        payload.insert(contentsOf: #""Simulator Target Bundle":"\#(bundleId)","#.utf8, at: 1)
        let excess = payload.count - options.type.maximumPayloadLength
        if excess > 0 {
            Output.warning("simctl may refuse \(excess) bytes more than APNs; add '--padding none'")
        }
        return payload
    }

    /// Returns the headers that the options name.
    private func headers() -> APNsHeaders {
        APNsHeaders(
            options.type, priority: priority, expiration: expiration?.expiration,
            collapseID: collapseId, topic: topic)
    }

    /// Returns the sealer with a choice of signers.
    private func sealer(_ choice: SignerChoice) -> Sealer {
        var sealer = options.sealer(choice.authentication, padding: padding)
        sealer.carrier = carriers.carrier
        return sealer
    }
}
