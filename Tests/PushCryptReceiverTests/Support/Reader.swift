import PushCryptReceiver
import PushCryptTesting

/// A reader of a payload that is at hand, for tests of what it reads.
func reader(_ json: String) throws -> PayloadReader {
    let opener = Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone)
    return try PayloadReader(json: json.utf8, opener: opener, unsealed: .allow)
}
