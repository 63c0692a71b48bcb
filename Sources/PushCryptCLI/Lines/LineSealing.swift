internal import PushCryptSender

/// The work of `seal --lines`.
struct LineSealing: LineWork {
    /// The members that replace options.
    static let options = ["type", "lifetime", "collapse-id", "topic", "priority"]

    private let sealer: Sealer
    private let headers: APNsHeaders
    /// The payload of lines without their own, and its preparation or the error of that.
    private let json: [UInt8]?
    private var prepared: PreparedPush?
    private var failure: PushCryptError?

    init(_ command: SealCommand) throws {
        sealer = try command.sealer()
        headers = APNsHeaders(command.options.type, topic: command.topic)
        json = try command.payload.map { try Input.text($0, maximumLength: 1 << 16) }
        do throws(PushCryptError) {
            prepared = try sealer.prepare(json: json ?? Array(#"{"aps":{"alert":"-"}}"#.utf8), headers: headers)
            if let json { try command.warn(of: json, sealer, headers, prepared?.truncations ?? []) }
        } catch {
            // Options that aren't valid for any payload. A line may still have another type.
            guard ExitStatus(error.code) != .usage else { throw error }
            failure = error
            if let path = command.payload { Output.warning("\(path): \(error.reason) [\(error.code)]") }
        }
    }

    mutating func answer(_ line: [UInt8]?, _ number: Int) -> LineAnswer {
        LineAnswer(to: line, number, hiding: ["to", "payload", "headers"] + Self.options) {
            (line, document, answer) throws(PushCryptError) in try seal(line, document, &answer)
        }
    }

    private mutating func seal(
        _ line: [UInt8], _ document: JSONDocument, _ answer: inout LineAnswer
    ) throws(PushCryptError) {
        let to = try document.required("to", in: line)
        let key = to.kind == .string ? JSONText.decoded(line.span, to.contents) : Array(line[to.range])
        let recipient = try KeyArgument.recipient(parsing: key.span)
        let own = json == nil ? try document.required("payload", in: line) : document.member("payload", in: line.span)
        let push: SealedPush
        if own != nil || Self.options.contains(where: { document.member($0, in: line.span) != nil }) {
            let (sealer, headers) = try options(of: line, document)
            push = try sealer.seal(
                json: own.map { line[$0.range] } ?? json?[...] ?? [], for: recipient, headers: headers)
        } else if let sealed = try prepared?.sealInPlace(for: recipient) {
            push = sealed
        } else {
            throw failure ?? PushCryptError(.missingValue, "The payload is missing. Add it.")
        }
        answer.bytes.append(UInt8(ascii: "{"))
        document.appendMembers(of: line, without: ["to", "headers"], payload: push.payload, to: &answer.bytes)
        if own == nil { answer.bytes += Array(#""payload":"#.utf8) + push.payload + Array(",".utf8) }
        answer.bytes += #""headers":{"#.utf8
        for (index, field) in push.headers.fields.enumerated() {
            answer.bytes += (index > 0 ? ",\"" : "\"").utf8
            answer.bytes += field.name.utf8
            answer.bytes += "\":".utf8
            JSONText.append(field.value, to: &answer.bytes)
        }
        answer.bytes += "}}".utf8
    }

    /// Returns the sealer and the headers with the members of a line that replace options.
    private func options(
        of line: [UInt8], _ document: JSONDocument
    ) throws(PushCryptError) -> (Sealer, APNsHeaders) {
        var sealer = sealer
        if let lifetime = document.member("lifetime", in: line.span) {
            let seconds = document.integer(lifetime, in: line.span).map { Double($0) }
            let text = document.string(lifetime, in: line.span)
            sealer.lifetime = seconds ?? text.flatMap { try? Period.seconds($0) } ?? 0
        }
        var headers = APNsHeaders(
            try document.pushType(in: line, or: headers.pushType),
            collapseID: try document.text("collapse-id", in: line),
            topic: try document.text("topic", in: line) ?? headers.topic)
        if let priority = document.member("priority", in: line.span) {
            let number = document.integer(priority, in: line.span).flatMap { Int(exactly: $0) }
            guard let value = number.flatMap(APNsHeaders.Priority.init(rawValue:)) else {
                throw PushCryptError(.invalidHeader, "The priority isn't valid. Use 1, 5 or 10.")
            }
            headers.priority = value
        }
        return (sealer, headers)
    }
}
