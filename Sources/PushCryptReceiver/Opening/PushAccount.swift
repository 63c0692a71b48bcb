internal import PushCryptCore
internal import PushCryptFoundation

/// A registration of the app with a server, for example of one signed-in user.
///
/// ```swift
/// let shop = PushAccount("shop", keys: store, senderPolicy: .signed(by: "YOUR_SERVER_KEY"))
/// let opener = Opener(accounts: [shop])
/// ```
public struct PushAccount: Sendable {
    let name: String
    let keys: any KeyStore
    let senderPolicy: SenderPolicy

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - name: A permanent name that no other account has, for ``OpenedPush/account``.
    ///   - keys: The store of the account's private keys.
    ///   - senderPolicy: The senders whose messages to these keys are opened.
    public init(_ name: String, keys: any KeyStore, senderPolicy: SenderPolicy) {
        self.name = name
        self.keys = keys
        self.senderPolicy = senderPolicy
    }

    /// Returns whether the account accepts a key, by which a message claims to be signed.
    func accepts(_ signer: KeyID?) -> Bool {
        guard let roots = try? senderPolicy.roots, let lists = try? keys.storedSignerLists(),
            let accepted = try? roots.acceptedKeys(with: lists)
        else { return false }
        return accepted.contains { $0.keyID == signer }
    }
}

extension [PushAccount] {
    /// Returns a key and the first account that has it.
    func owner(of id: KeyID) throws(PushCryptError) -> (
        account: PushAccount, key: RecipientPrivateKey
    ) {
        var failure: PushCryptError?
        for account in self {
            do throws(PushCryptError) {
                return (account, try account.keys.key(named: id))
            } catch {
                // A store that can't be read may have the key, so its error stays.
                if failure == nil || failure?.code == .unknownKey { failure = error }
            }
        }
        throw failure
            ?? PushCryptError(.unknownKey, "The list of accounts is empty. Add an account.")
    }

    /// Returns the time at which the key of a push was created; `nil` if its account's store
    /// doesn't know it.
    func keyCreation(of push: OpenedPush) -> Date? {
        guard let keyID = push.keyID else { return nil }
        return first { $0.name == push.account }?.keys.creationDate(ofKey: keyID)
    }

    /// Checks a message against the policy of its account, and returns the key that signed it.
    func check(_ message: IncomingMessage, for account: PushAccount) throws(PushCryptError)
        -> KeyID?
    {
        do throws(PushCryptError) {
            return try account.senderPolicy.check(message, keys: account.keys)
        } catch {
            guard error.code == .unknownSigner, contains(where: { $0.accepts(message.signer) })
            else {
                throw error
            }
            throw PushCryptError(
                .wrongAccount,
                """
                The message is sealed to one account and signed for another. Seal it to the right \
                device key.
                """)
        }
    }
}
