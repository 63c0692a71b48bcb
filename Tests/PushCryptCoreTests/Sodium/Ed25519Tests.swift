import PushCryptCore
import TestSupport
import Testing

/// The vectors of RFC 8032 §7.1, and signatures that are not valid.
@Suite struct Ed25519Tests {
    struct Vector: Sendable {
        let seed: String, key: String, message: String, signature: String
    }

    static let vectors = [
        Vector(
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
                + "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        Vector(
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        Vector(
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    ]

    @Test("The signatures of RFC 8032 are reproduced", arguments: vectors)
    func signsAsTheStandardSays(_ vector: Vector) throws {
        let pair = try Ed25519.keyPair(of: SecretBytes(hex(vector.seed)))
        #expect(pair.publicKey.array == hex(vector.key))
        #expect(pair.secretKey.copy == hex(vector.seed + vector.key))
        let message = hex(vector.message)
        var buffer = [1, 2, 3] + message + [UInt8](repeating: 0, count: 66)
        try Ed25519.sign(
            3..<(3 + message.count), of: &buffer, into: 4 + message.count, with: pair.secretKey)
        #expect(buffer == [1, 2, 3] + message + [0] + hex(vector.signature) + [0])
    }

    @Test("A message behind its signature is signed") func signsWhatStandsBehindTheSignature()
        throws
    {
        let vector = Self.vectors[2]
        let pair = try Ed25519.keyPair(of: SecretBytes(hex(vector.seed)))
        var buffer = [UInt8](repeating: 0, count: 64) + hex(vector.message)
        try Ed25519.sign(64..<66, of: &buffer, into: 0, with: pair.secretKey)
        #expect(buffer == hex(vector.signature + vector.message))
    }

    @Test("A signature with a flipped bit is rejected", arguments: vectors)
    func acceptsTheSignatureAndNoneThatDiffersInABit(_ vector: Vector) throws {
        let key = try Bytes32(hex(vector.key).span)
        let message = hex(vector.message)
        let signature = hex(vector.signature)
        try Ed25519.verify(signature.span, of: message.span, with: key)
        for bit in 0..<512 {
            let changed = flipping(bit: bit, of: signature)
            #expect(
                errorCode { try Ed25519.verify(changed.span, of: message.span, with: key) }
                    == .invalidSignature)
        }
        for bit in 0..<(message.count * 8) {
            let changed = flipping(bit: bit, of: message)
            #expect(
                errorCode { try Ed25519.verify(signature.span, of: changed.span, with: key) }
                    == .invalidSignature)
        }
    }

    @Test("A signature of another length is rejected", arguments: [0, 1, 63, 65, 128])
    func refusesSignaturesOfAnyOtherLength(_ count: Int) throws {
        let vector = Self.vectors[1]
        let key = try Bytes32(hex(vector.key).span)
        let signature = Array((hex(vector.signature) + hex(vector.signature))[..<count])
        let message = hex(vector.message)
        #expect(
            errorCode { try Ed25519.verify(signature.span, of: message.span, with: key) }
                == .invalidSignature)
    }
}
