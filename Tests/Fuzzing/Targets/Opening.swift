import Foundation

@testable import PushCryptCore
@testable import PushCryptPayload
@testable import PushCryptReceiver
@testable import PushCryptSender
@testable import PushCryptTesting

/// Invariants of opening.
///
/// An input edits an authentic push, or the JSON around it.
///
/// - Only the authentic envelope opens, and it gives the original.
/// - Edits of the JSON around it either end in an error or give the original.
/// - Neither an error nor a description has content.
enum Opening {
    private static let original = Array(
        #"{"aps":{"alert":{"title":"Anna","body":"~secret~"}},"a":1.10}"#.utf8)
    private static let clock = TestClock()
    private static let payload = fixed {
        let sealer = Sealer(.signed(by: try TestKeys.sender()), time: clock)
        return try sealer.seal(json: original, for: TestKeys.device().publicKey).payload
    }
    private static let envelope = fixed { try SealedValue(json: payload, from: .apns).envelope() }
    private static let opener = fixed {
        Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: [try TestKeys.sender().publicKey]), time: clock)
    }

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        if reader.byte() & 1 == 0 {
            let edited = reader.edited(envelope)
            let push = accepted { () throws(PushCryptError) in
                try opener.open(envelope: edited, as: [.notification])
            }
            require((push != nil) == (edited == envelope), "only the authentic envelope opens")
            check(push)
        } else {
            let edited = reader.edited(payload)
            check(
                accepted { () throws(PushCryptError) in
                    try opener.open(json: edited, as: [.notification])
                })
        }
    }

    private static func check(_ push: OpenedPush?) {
        guard let push else { return }
        require(push.payload == original, "an opened payload is the original")
        require(!contains(marker, Array("\(push)".utf8)), "a description has no content")
    }
}
