#if APNs
internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptSender

/// An answer of APNs.
struct APNsAnswer: Sendable {
    let status: Int
    let uniqueID: String?
    /// The seconds of `Retry-After`; a date in it is left out, because Apple's documentation has
    /// seconds.
    let retryAfter: TimeInterval?
    private(set) var reason: APNsError.Reason?
    private(set) var timestamp: Date?

    init(status: Int, uniqueID: String? = nil, retryAfter: String? = nil, body: [UInt8]) {
        self.status = status
        self.uniqueID = uniqueID
        self.retryAfter = retryAfter.flatMap { UInt32($0) }.map { TimeInterval($0) }
        guard !body.isEmpty, let document = try? JSONDocument(scanning: body.span) else { return }
        let word = document.string(document.member("reason", in: body.span), in: body.span)
        if let word, Self.isLoggable(word) { reason = APNsError.Reason(rawValue: word) }
        let milliseconds = document.integer(
            document.member("timestamp", in: body.span), in: body.span)
        if let milliseconds, (0..<1 << 48).contains(milliseconds) {
            timestamp = Date(millisecondsSince1970: milliseconds)
        }
    }

    /// Returns the error of a rejected request.
    func error(_ id: UUID) -> APNsError {
        var error = APNsError(reason?.code ?? .status(status), text, advice: advice, id: id)
        error.status = status
        error.apnsReason = reason
        error.timestamp = timestamp
        error.retryAfter = retryAfter
        return error
    }

    /// Returns `true` for up to 64 letters and digits, because the word goes into logs.
    private static func isLoggable(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.count <= 64 && word.utf8.allSatisfy(\.isLetterOrDigit)
    }

    private var advice: APNsError.Advice {
        if status == 410 { return .deleteToken }
        if let advice = reason?.advice { return advice }
        if status == 403 { return .checkCredentials }
        let mayChange = status == 429 || (500...599).contains(status)
        return mayChange ? .retry : .fixRequest
    }

    private var text: String {
        if let explanation = reason?.explanation { return explanation }
        let word = reason.map { " \($0)" } ?? ""
        let fix = advice.description.prefix(1).uppercased() + advice.description.dropFirst()
        return "APNs refuses the request with \(status)\(word). \(fix)."
    }
}
#endif
