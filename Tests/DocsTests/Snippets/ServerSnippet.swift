// README.md, "Server": ReadmeTests compares and runs the lines between the marks.
import PushCryptSender

enum ServerSnippet {
    static func run(
        keyringPath: String, registeredKey: String, payload: [UInt8],
        send: ([UInt8], [(name: String, value: String)]) throws -> Void
    ) throws {
        // begin
        let keyring = try KeyringFile<SigningKey>(path: keyringPath).read()
        let sealer = Sealer(.signed(by: keyring.primary.key))
        let device = try RecipientPublicKey(parsing: registeredKey)
        let push = try sealer.seal(json: payload, for: device, headers: APNsHeaders(topic: "com.example.app"))
        try send(push.payload, push.headers.fields)
        // end
    }
}
