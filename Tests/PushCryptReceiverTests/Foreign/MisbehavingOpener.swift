import Foundation
import PushCryptReceiver

/// An opener with every fault that an app's own code may have.
struct MisbehavingOpener: ForeignOpener {
    enum Fault: String, CaseIterable {
        case throwing, hanging, answersTwice, late, noText, megabyte, sealed, notJSON
    }

    let name = "faulty"
    let fault: Fault
    /// Ends the wait of an opener that is late.
    var mayEnd: @Sendable () async -> Void = {}

    struct Secret: Error, CustomStringConvertible { let description = "quite secret" }

    func open(_ push: ForeignPush) async throws -> ForeignOriginal? {
        let message = #"{"aps":{"alert":"late"}}"#
        switch fault {
        case .throwing: throw Secret()
        case .hanging: try await Task.sleep(nanoseconds: 600_000_000_000)
        case .answersTwice:
            return .message(try await first(of: Self.callBackTwice), isAuthenticated: true)
        case .late: await mayEnd()
        case .noText: return .message(#"{"aps":{}}"#, isAuthenticated: true)
        case .megabyte:
            return .message(
                #"{"aps":{"alert":""# + String(repeating: "x", count: 1 << 20) + #""}}"#,
                isAuthenticated: true)
        case .sealed:
            return .message(#"{"aps":{"alert":"x"},"ENCRYPTED_DATA":"AQ"}"#, isAuthenticated: true)
        case .notJSON: return .message("<plist/>", isAuthenticated: true)
        }
        return .message(message, isAuthenticated: true)
    }

    private static func callBackTwice(_ answer: @escaping @Sendable (String) -> Void) {
        for body in ["first", "second"] { answer(#"{"aps":{"alert":"\#(body)"}}"#) }
    }

    private func first(of call: (@escaping @Sendable (String) -> Void) -> Void) async throws
        -> String
    {
        let answers = AsyncStream<String> { stream in call { stream.yield($0) } }
        for await answer in answers { return answer }
        throw CancellationError()
    }
}
