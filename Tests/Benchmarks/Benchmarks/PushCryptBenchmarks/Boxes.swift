import Benchmark
import PushCryptCore
import PushCryptReceiver
import PushCryptSender
import RawBoxes
import RawSodium

/// The box alone with each library, and signed messages.
///
/// Run with `--traits FastX25519` for both libraries.
func boxBenchmarks() {
    let length = 1024
    for usesBoringSSL in BoringSSLKey() == nil ? [false] : [false, true] {
        let name = usesBoringSSL ? "BoringSSL" : "libsodium"
        Benchmark("box, seal, \(name), \(length) bytes") { benchmark in
            let raw = Raw(messageLength: length)
            let publicKey = raw.publicKey
            let key = try Bytes32(publicKey.span)
            let text = [UInt8](repeating: 7, count: length)
            var box = [UInt8](repeating: 0, count: length + SealedBox.overhead)
            interleave(
                benchmark, raw: { raw.seal() },
                ours: {
                    try? SealedBox.seal(
                        text.span, to: key, into: &box, at: 0, usesBoringSSL: usesBoringSSL)
                })
        }
        Benchmark("box, open, \(name), \(length) bytes") { benchmark in
            let raw = Raw(messageLength: length)
            let key = try RecipientPrivateKey()
            let text = [UInt8](repeating: 7, count: length)
            var box = [UInt8](repeating: 0, count: length + SealedBox.overhead)
            try SealedBox.seal(text.span, to: key.publicKey.bytes, into: &box, at: 0)
            var opened = text
            var pair = key.pair
            pair.boringSSL = usesBoringSSL ? key.secret.withSpan { BoringSSLKey($0) } : nil
            interleave(
                benchmark, raw: { raw.open() },
                ours: { try? SealedBox.open(box.span, with: pair, into: &opened, at: 0) })
        }
    }
    signedBenchmarks(length)
}

/// Signed messages, next to libsodium's calls for the box and for the signature.
private func signedBenchmarks(_ length: Int) {
    // The header of a message, the id of the signer and the signature; the signature also covers 64
    // bytes of context.
    let (message, signed) = (length + 32 + 72, length + 32 + 8 + 64)
    var publicKey = [UInt8](repeating: 0, count: 32)
    var secretKey = [UInt8](repeating: 0, count: 64)
    var signature = [UInt8](repeating: 0, count: 64)
    let text = [UInt8](repeating: 7, count: signed)
    crypto_sign_keypair(&publicKey, &secretKey)
    crypto_sign_detached(&signature, nil, text, UInt64(signed), secretKey)
    let json = payload(length: length)
    Benchmark("seal, signed, 1 recipient, \(length) bytes") { [secretKey] benchmark in
        let raw = Raw(messageLength: message)
        let recipient = try RecipientPublicKey(rawRepresentation: raw.publicKey)
        let sealer = Sealer(.signed(by: try SigningKey()), padding: .none)
        var signature = [UInt8](repeating: 0, count: 64)
        interleave(
            benchmark,
            raw: {
                crypto_sign_detached(&signature, nil, text, UInt64(signed), secretKey)
                raw.seal()
            }, ours: { blackHole(try? sealer.seal(json: json, for: recipient)) })
    }
    Benchmark("open, signed, \(length) bytes") { [publicKey, signature] benchmark in
        let raw = Raw(messageLength: message)
        let (key, signer) = (try RecipientPrivateKey(), try SigningKey())
        let push = try Sealer(.signed(by: signer), padding: .none).seal(
            json: json, for: key.publicKey)
        let opener = Opener(
            keys: InMemoryKeyStore([key]), senderPolicy: .signed(by: [signer.publicKey]))
        let json = push.payload
        interleave(
            benchmark,
            raw: {
                raw.open()
                precondition(
                    crypto_sign_verify_detached(signature, text, UInt64(signed), publicKey) == 0)
            }, ours: { blackHole(try? opener.open(json: json)) })
    }
}
