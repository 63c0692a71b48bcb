internal import ArgumentParser
internal import PushCryptSender

/// One push for one device from the command line.
struct SinglePush {
    private let reader: PushReader
    private let line: LineMembers

    /// Reads the input.
    ///
    /// - Throws: A mistake of usage if the push has no topic, or the error of the input.
    init(_ data: DataOptions, _ headers: HeaderOptions, device: String) throws {
        try data.checkOutput()
        line = try LineMembers(
            scanning: .bytes(SealedLine.line(for: data.read(), to: device)), number: 1)
        // Standard error, which gets the answer to a rejected push, often goes into logs.
        reader = PushReader(headers, AnswerFormat(hidesToken: true))
        // Headers that aren't valid are an error of the input, which the sending reports.
        let options = HeaderFields(headers)
        guard let fields = try? options.overriding(with: line) else { return }
        guard fields[.topic] != nil else {
            throw ValidationError("The topic is missing. Add '--topic' with the app's bundle ID.")
        }
        if let name = options.conflict(with: fields), let option = name.option {
            throw ValidationError(
                "The envelope has another \(name.rawValue). Remove '\(option)', or seal with it.")
        }
    }

    /// Sends the push, and returns the answer with its line break.
    ///
    /// - Throws: An ``ExitStatus`` unless APNs accepts the push.
    func send(_ makeSender: (@escaping PushReceiver) -> any PushSender) throws -> [UInt8] {
        let push: OpenPush
        do throws(PushCryptError) {
            push = try reader.push(of: line)
        } catch {
            Output.error(error)
            throw ExitStatus.input
        }
        switch Self.result(of: push, makeSender) {
        case .accepted(let mayArriveTwice):
            return reader.format.accepted(push, mayArriveTwice: mayArriveTwice).bytes + [
                UInt8(ascii: "\n")
            ]
        case .failed(let failure):
            Output.error(failure.error)
            let answer = reader.format.failed(push, failure)
            Output.hint("the answer is \(String(decoding: answer.bytes, as: UTF8.self))")
            throw failure.advice.isUnsent ? ExitStatus.failure : .input
        }
    }

    private static func result(
        of push: OpenPush, _ makeSender: (@escaping PushReceiver) -> any PushSender
    ) -> PushResult {
        let inbox = Inbox<[NumberedResult]>()
        let sender = makeSender { inbox.post($0) }
        sender.submit(push.push, number: push.number)
        var results: [[NumberedResult]] = []
        while true {
            inbox.take(into: &results)
            if let result = results.first?.first { return result.result }
        }
    }
}
