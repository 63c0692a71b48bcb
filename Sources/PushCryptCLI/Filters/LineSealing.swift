internal import PushCryptSender

/// The work of `seal --lines`.
struct LineSealing: LineWork {
    /// The members that replace options.
    static let options = ["type", "lifetime", "collapse-id", "topic", "priority"]

    let hiddenMembers = ["to", "payload", "headers"] + Self.options

    /// The settings of all lines, from the options.
    struct Settings: Sendable {
        let choice: SignerChoice
        let carriers: CarrierOptions
        let sealer: Sealer
        let headers: APNsHeaders
        /// The priority of lines without their own; `nil` for the usual one of their push type.
        let priority: APNsHeaders.Priority?
        /// The end of the attempts; `nil` for the usual one of a line's push type.
        let expiration: APNsHeaders.Expiration?
        /// The path of the payload of lines without their own.
        let payload: String?
    }

    private let settings: Settings
    /// The payload of lines without their own.
    private let sharedPayload: [UInt8]?
    /// The preparation of the shared payload.
    private var prepared: PreparedPush?
    /// The error of that preparation.
    private var failure: PushCryptError?

    init(_ settings: Settings) throws {
        self.settings = settings
        sharedPayload = try settings.payload.map { try Input.text($0, maximumLength: 1 << 16) }
        do throws(PushCryptError) {
            let example = Array(#"{"aps":{"alert":"-"}}"#.utf8)
            prepared = try settings.sealer.prepare(
                json: sharedPayload ?? example, headers: settings.headers)
            if let sharedPayload {
                let warnings = SealingWarnings(sealer: settings.sealer, headers: settings.headers)
                try warnings.display(for: sharedPayload, truncations: prepared?.truncations ?? [])
            }
        } catch {
            // Options that aren't valid for any payload. A line may still have another type.
            guard ExitStatus(error.code) != .usage else { throw error }
            // No line can use a payload that can't be read.
            guard error.code != .malformedJSON else {
                throw PushCryptError(
                    error.code, "--payload \(settings.payload ?? ""): \(error.reason)")
            }
            failure = error
            if let path = settings.payload {
                Output.warning("\(path): \(error.reason) [\(error.code)]")
            }
        }
    }

    mutating func answer(_ line: LineMembers) throws(PushCryptError) -> LineAnswer {
        let recipient = try recipient(of: line)
        let push = try seal(line, for: recipient)
        settings.choice.hint(for: recipient)
        guard settings.carriers.isWrapping else {
            return answer(to: line, payload: push.payload, headers: JSONObjectText(push.headers))
        }
        let request = try settings.carriers.request(for: push, to: try line.requiredText("token"))
        return answer(to: line, payload: request.body, headers: JSONObjectText(request.headers))
    }

    private func answer(
        to line: LineMembers, payload: [UInt8], headers: JSONObjectText
    ) -> LineAnswer {
        var answer = line.kept(without: ["to", "headers"], replacingPayload: payload)
        if line["payload"] == nil { answer.append("payload", json: payload) }
        answer.append("headers", headers)
        return LineAnswer(.accepted, answer)
    }

    private func recipient(of line: LineMembers) throws(PushCryptError) -> any SealTarget {
        let member = try line.required("to")
        let key = line.string(member).map { Array($0.utf8) } ?? Array(line.json(member))
        return try KeyArgument.recipient(parsing: key.span)
    }

    /// Seals the line's own payload, or else the shared one.
    private mutating func seal(
        _ line: LineMembers, for recipient: any SealTarget
    ) throws(PushCryptError) -> SealedPush {
        let member = sharedPayload == nil ? try line.required("payload") : line["payload"]
        if member != nil || line.hasAny(of: Self.options) {
            let payload = member.map { line.json($0) } ?? sharedPayload?[...] ?? []
            let sealer = sealer(for: line)
            let headers = try headers(for: line)
            return try sealer.seal(json: payload, for: recipient, headers: headers)
        }
        if let push = try prepared?.sealInPlace(for: recipient) { return push }
        throw failure ?? PushCryptError(.missingValue, "The payload is missing. Add it.")
    }

    /// Returns the sealer with the lifetime of a line.
    private func sealer(for line: LineMembers) -> Sealer {
        var sealer = settings.sealer
        if let lifetime = line["lifetime"] {
            let seconds = line.integer(lifetime).map { Double($0) }
            let period = line.string(lifetime).flatMap { try? Period.seconds($0) }
            // The sealer rejects 0.
            sealer.lifetime = seconds ?? period ?? 0
        }
        return sealer
    }

    /// Returns the headers with the members of a line that replace options.
    private func headers(for line: LineMembers) throws(PushCryptError) -> APNsHeaders {
        var headers = APNsHeaders(
            try line.pushType(or: settings.headers.pushType), priority: settings.priority,
            expiration: settings.expiration,
            collapseID: try line.text("collapse-id") ?? settings.headers.collapseID,
            topic: try line.text("topic") ?? settings.headers.topic)
        if let priority = line["priority"] {
            let number = line.integer(priority).flatMap { Int(exactly: $0) }
            guard let value = number.flatMap(APNsHeaders.Priority.init(rawValue:)) else {
                throw PushCryptError(.invalidHeader, "The priority isn't valid. Use 1, 5 or 10.")
            }
            headers.priority = value
        }
        return headers
    }
}
