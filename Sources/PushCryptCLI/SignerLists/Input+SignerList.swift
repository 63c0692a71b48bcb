internal import PushCryptSender

extension Input {
    /// Reads and verifies a list of accepted keys.
    static func signerList(_ path: String, roots: [VerificationKey]) throws(PushCryptError)
        -> SignerList
    {
        let text = try text(path, maximumLength: 1 << 17)
        return try naming(path) { () throws(PushCryptError) in
            try SignerList(verifying: text, roots: roots)
        }
    }
}
