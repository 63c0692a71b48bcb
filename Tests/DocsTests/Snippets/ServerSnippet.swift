// README.md, "On the server": what stands between the marks is compiled here, run by ReadmeTests, and the same there.
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
