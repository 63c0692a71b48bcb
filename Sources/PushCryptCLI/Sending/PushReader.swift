internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// Reads the pushes of lines.
struct PushReader: Sendable {
    /// The push of a line, or the answer to a line without one.
    enum Reading: Sendable {
        case push(OpenPush)
        case answer(LineAnswer)
    }

    private let options: HeaderOptions
    let format: AnswerFormat
    /// A Boolean value that indicates whether the lines are answers of an earlier `send`.
    private let retries: Bool

    init(_ options: HeaderOptions, _ format: AnswerFormat, retries: Bool = false) {
        self.options = options
        self.format = format
        self.retries = retries
    }

    /// Reads a line, or one that the journal has with the ID of its push.
    ///
    /// - Throws: The error of an earlier output that isn't one.
    func read(_ line: Line, number: Int, journaled: JournaledPush? = nil) throws(PushCryptError)
        -> Reading
    {
        let members: LineMembers
        do throws(PushCryptError) {
            members = try LineMembers(scanning: line, number: number)
        } catch {
            guard !retries else { throw Self.isNoOutput(number) }
            return .answer(format.refused(nil, number: number, error))
        }
        if let answer = format.repeated(members) { return .answer(answer) }
        if retries, members["payload"] == nil || members["error"] == nil {
            guard members["status"] != nil, members["payload"] == nil else {
                throw Self.isNoOutput(number)
            }
            return .answer(LineAnswer(.accepted, members.keptWithoutPrivateKeys(without: [])))
        }
        do throws(PushCryptError) {
            return .push(try push(of: members, journaled))
        } catch {
            return .answer(format.refused(members, number: number, error))
        }
    }

    private static func isNoOutput(_ number: Int) -> PushCryptError {
        PushCryptError(
            .fileExists,
            """
            Line \(number) of the earlier output isn't an answer of 'send'. Name an output of \
            'send'.
            """)
    }

    /// Reads the push of a line, or throws the error for which the line is rejected.
    func push(of line: LineMembers, _ journaled: JournaledPush? = nil) throws(PushCryptError)
        -> OpenPush
    {
        let payload = Array(line.json(try line.required("payload")))
        let token = try line.requiredText("token")
        let given = HeaderFields(options)
        let fields = try given.overriding(with: line)
        var headers = try APNsHeaders(fields)
        guard headers.topic != nil else {
            throw PushCryptError(
                .invalidHeader, "The topic is missing. Add '--topic' with the app's bundle ID.")
        }
        let earlier = EarlierFailure(line)
        headers.id = journaled?.id ?? headers.id ?? earlier?.id ?? .random()
        return OpenPush(
            line: line, push: LinePush(payload: payload, headers: headers, token: token),
            reference: retries ? earlier?.line ?? line.number : line.number,
            isRecorded: journaled != nil,
            mayBeAccepted: journaled?.mayBeAccepted == true || earlier?.mayBeAccepted == true,
            ignoredOption: given.conflict(with: fields)?.option)
    }
}

/// The facts of an answer that keeps its payload, because its push wasn't sent.
private struct EarlierFailure {
    let id: UUID?
    let line: Int?
    let mayBeAccepted: Bool

    /// Returns `nil` for a line without an error.
    init?(_ answer: LineMembers) {
        guard let error = answer["error"] else { return nil }
        id = answer["apns-id"].flatMap { answer.string($0) }.flatMap { UUID(uuidString: $0) }
        line = answer["line"].flatMap { answer.integer($0) }.flatMap { Int(exactly: $0) }
        mayBeAccepted = answer.isTrue("may-be-accepted", of: error)
    }
}
