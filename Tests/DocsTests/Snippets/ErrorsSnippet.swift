// Docs/Errors.md: compiled here, run by ErrorsTests, and the same there.
import PushCryptSender

enum ErrorsSnippet {
    static func run(
        sealer: Sealer, payload: [UInt8], shorterPayload: [UInt8], device: RecipientPublicKey
    ) throws -> SealedPush {
        let push: SealedPush
        // begin
        do {
            push = try sealer.seal(json: payload, for: device)
        } catch let error where error.code == .payloadTooLarge {
            push = try sealer.seal(json: shorterPayload, for: device)
        }
        // end
        return push
    }
}
