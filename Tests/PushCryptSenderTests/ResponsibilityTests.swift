import PushCryptSender
import PushCryptTesting
import Testing

/// Errors tell a service who can remove the cause.
@Suite struct ResponsibilityTests {
    private func responsibility<Result>(_ body: () throws -> Result) -> PushCryptError
        .Responsibility?
    {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? PushCryptError)?.code.responsibility
        }
    }

    @Test("An invalid payload or key is the caller's") func caller() throws {
        let sealer = Sealer(.anonymous)
        let device = try TestKeys.device().publicKey
        let long = #"{"aps":{"alert":"\#(String(repeating: "a", count: 5000))"}}"#
        for payload in ["", "{}", #"{"aps":{"alert":1}}"#, #"{"aps":{"alert":""}}"#, long] {
            #expect(
                responsibility { try sealer.seal(json: payload.utf8, for: device) } == .caller,
                "\(payload)")
        }
        #expect(responsibility { try RecipientPublicKey(parsing: "AAAA") } == .caller)
        #expect(responsibility { try Registration(parsing: "{}") } == .caller)
    }

    @Test("The service's files are its operator's") func configuration() {
        #expect(
            responsibility { try KeyringFile<SigningKey>(path: "/no/file").read() }
                == .configuration)
        let codes: [PushCryptError.Code] = [
            .malformedKeyring, .noPrimaryKey, .passphraseRequired, .wrongPassphrase, .insecureFile,
            .lockTimeout, .fileSystemError, .sodiumUnavailable, .keyUnreadable, .missingEntitlement,
            PushCryptError.Code(rawValue: "your-own"),
        ]
        for code in codes { #expect(code.responsibility == .configuration, "\(code)") }
    }

    @Test("An old registration is the device's") func device() {
        for code in [.staleGeneration, .unknownKey, .deviceLocked] as [PushCryptError.Code] {
            #expect(code.responsibility == .device, "\(code)")
        }
    }
}
