import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import Testing

@Suite struct AcceptedSignersTests {
    @Test("The description has the number of keys and the beginnings of their thumbprints")
    func description() throws {
        let key = try SigningKey().publicKey
        let accepted = try #require(AcceptedSigners([key]))
        #expect("\(accepted)" == "1 accepted keys: \("\(key.kid)".prefix(10))")
    }
}
