@testable import PushCryptCore
@testable import PushCryptKeyring
@testable import PushCryptReceiver

/// Invariants of stored keyrings of devices and servers, and of single keys.
///
/// - An accepted keyring is exported as JSON that is accepted, and exported as the same bytes. With
///   members that aren't known, it isn't exported.
/// - An accepted protection is written as a file that is accepted, and written as the same bytes.
/// - An accepted public key's JWK is accepted, and is the same key.
/// - No error has the private half of a key.
enum KeyringText {
    /// The private half of the test keys begins with it.
    private static let privateHalf = Array("cHVzaGNyeXB0IHRlc3Qg".utf8)

    static func check(_ input: [UInt8]) {
        check(RecipientKeyring.self, input) { $0 }
        check(SigningKeyring.self, input) { $0 }
        check(DeviceKeyring.self, input) { $0.keyring }
        check(RecipientPublicKey.self, input)
        check(VerificationKey.self, input)
        guard ProtectedKeyring.isProtected(input.span),
            let protected = accepted({ () throws(PushCryptError) in
                try ProtectedKeyring(parsing: input.span)
            })
        else { return }
        let contents = Array(protected.contents.utf8)
        let again = try? ProtectedKeyring(parsing: contents.span)
        require(again?.contents == protected.contents, "a protection is the one of its file")
    }

    private static func check<Stored: StoredKeyring, Key>(
        _: Stored.Type, _ input: [UInt8], _ keyring: (Stored) -> Keyring<Key>
    ) {
        guard
            let accepted = result({ () throws(PushCryptError) in try Stored(parsing: input.span) })
        else { return }
        let before = keyring(accepted)
        let exported = try? accepted.exportToStore()
        guard (try? before.checkFormat()) != nil else {
            return require(exported == nil, "a keyring with unknown members isn't exported")
        }
        guard let (stored, contents) = exported, let again = try? stored.exportWithPrivateKeys()
        else { return require(false, "an exported keyring is accepted") }
        require(contents.isEqual(to: again), "a keyring is the one of its export")
        require(stored.hasSameContents(as: accepted), "the contents are kept")
        require(
            keyring(stored).keys.map(\.publicKey.kid) == before.keys.map(\.publicKey.kid),
            "the keys are kept")
        require(
            Set(before.keys.map(\.publicKey.kid)).count == before.keys.count, "no key occurs twice")
    }

    private static func check<Key: PublicKey>(_: Key.Type, _ input: [UInt8]) {
        guard let key = result({ () throws(PushCryptError) in try Key(parsing: input) }) else {
            return
        }
        let again = try? Key(parsing: key.jwk)
        require(again == key && again?.jwk == key.jwk, "a key is the one of its JWK")
        require(
            (try? Key(rawRepresentation: key.rawRepresentation)) == key,
            "a key is the one of its bytes")
    }

    private static func result<Value>(_ body: () throws(PushCryptError) -> Value) -> Value? {
        do throws(PushCryptError) {
            return try body()
        } catch {
            checkError(error)
            require(
                !contains(privateHalf, Array(error.reason.utf8)), "an error has no private half")
            return nil
        }
    }
}
