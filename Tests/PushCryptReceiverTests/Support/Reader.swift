import PushCryptReceiver
import PushCryptTesting

/// Returns a reader of an unsealed payload.
func reader(_ json: String) throws -> PayloadReader {
    let opener = Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone)
    return try PayloadReader(json: json.utf8, opener: opener, unsealed: .allow)
}
