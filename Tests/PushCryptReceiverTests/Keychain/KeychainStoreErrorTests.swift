import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Errors of the keychain, which never lead to a new key.
@Suite struct KeychainStoreErrorTests {
    let fixture = KeychainFixture()

    static let failures: [(KeychainStatus, PushCryptError.Code)] = [
        (.interactionNotAllowed, .deviceLocked), (.missingEntitlement, .missingEntitlement),
        (.noAccessForItem, .missingEntitlement), (.notAvailable, .keyUnreadable),
        (.authFailed, .keyUnreadable),
        (.parameter, .keyUnreadable), (.allocation, .keyUnreadable),
        (KeychainStatus(rawValue: -26275), .keyUnreadable),
    ]

    /// The numbers of Apple's headers.
    @Test("Each status has Apple's number") func eachStatusHasApplesNumber() {
        let numbers: [KeychainStatus: Int32] = [
            .success: 0, .parameter: -50, .allocation: -108, .noAccessForItem: -25243,
            .notAvailable: -25291,
            .authFailed: -25293, .duplicateItem: -25299, .itemNotFound: -25300,
            .interactionNotAllowed: -25308,
            .missingEntitlement: -34018,
        ]
        #expect(numbers.count == 10)
        for (status, number) in numbers { #expect(status.rawValue == number) }
    }

    @Test("A locked keychain isn't a missing keyring") func lockedKeychainIsntAMissingKeyring()
        throws
    {
        for isThere in [false, true] {
            if isThere { try fixture.make() }
            let (before, adds) = (fixture.bytes, fixture.keychain.count(of: .add))
            if isThere {
                fixture.keychain.device = .beforeFirstUnlock
            } else {
                fixture.keychain.failNext(.copyMatching, with: .interactionNotAllowed)
            }
            let time = TestClock()
            #expect(thrownError { try fixture.device(time: time).prepare() }?.code == .deviceLocked)
            #expect(
                fixture.bytes == before && fixture.keychain.count(of: .add) == adds,
                "No key is created.")
            fixture.keychain.device = .locked
            #expect(
                try (fixture.store.keyring() != nil) == isThere,
                "After the first unlock it is read in any state.")
            fixture.keychain.device = .unlocked
        }
    }

    @Test("Each call reports a locked device") func eachCallReportsALockedDevice() throws {
        let id = try fixture.make().primary.key.publicKey.keyID
        fixture.keychain.device = .beforeFirstUnlock
        let error = try #require(thrownError { try fixture.store.recipientKey(id) })
        #expect(
            error.code == .deviceLocked && error.reason.contains("-25308")
                && error.reason.contains("fallback"))
        #expect(thrownError { try fixture.store.keyring() }?.code == .deviceLocked)
        #expect(thrownError { try fixture.rotate(fixture.store) }?.code == .deviceLocked)
        let empty = KeychainStore(
            fixture.keychain, accessGroup: KeychainFixture.group, account: "empty")
        let ring = try fixture.ring()
        #expect(
            thrownError { try empty.update { $0 = ring } }?.code == .deviceLocked,
            "Adding fails too.")
    }

    @Test("A missing entitlement's error explains the Xcode setting")
    func missingEntitlementsErrorExplainsTheXcodeSetting() throws {
        let id = try fixture.make().primary.key.publicKey.keyID
        let store = KeychainStore(
            fixture.keychain.sharing(accessGroups: ["ABCDE12345.com.example.app"]),
            accessGroup: KeychainFixture.group)
        let errors = [
            thrownError { try store.keyring() }, thrownError { try store.recipientKey(id) },
            thrownError { try fixture.rotate(store) }, thrownError { try store.deleteKeyring() },
            thrownError { try fixture.device(store, time: TestClock()).prepare() },
        ]
        for error in errors {
            let error = try #require(error)
            #expect(error.code == .missingEntitlement)
            for part in [
                "-34018", "Keychain Sharing", KeychainFixture.group, "extension", "App ID prefix",
            ] {
                #expect(error.reason.contains(part))
            }
        }
        #expect(try fixture.stored.generation == 1)
    }

    @Test("Each failure is reported and changes nothing", arguments: failures)
    func eachFailureIsReportedAndChangesNothing(
        _ status: KeychainStatus, _ code: PushCryptError.Code
    ) throws {
        let id = try fixture.make().primary.key.publicKey.keyID
        let before = fixture.bytes
        func expectRefusal(_ call: TestKeychain.Call, _ body: () throws -> Void) {
            fixture.keychain.failNext(call, with: status)
            let error = thrownError(body)
            #expect(error?.code == code)
            #expect(error?.reason.contains("\(status.rawValue)") == true)
        }
        expectRefusal(.copyMatching) { _ = try fixture.store.keyring() }
        expectRefusal(.copyMatching) { _ = try fixture.store.recipientKey(id) }
        expectRefusal(.copyMatching) { try fixture.rotate(fixture.store) }
        expectRefusal(.update) { try fixture.rotate(fixture.store) }
        expectRefusal(.delete) { try fixture.store.deleteKeyring() }
        #expect(fixture.bytes == before)
        fixture.keychain.put(fixture.name, nil)
        let ring = try fixture.ring()
        expectRefusal(.add) { try fixture.store.update { $0 = ring } }
        #expect(fixture.keychain.items.isEmpty)
        #expect(fixture.keychain.count(of: .add) == 2)
    }

    @Test("An unreadable item never leads to a new key", arguments: failures)
    func unreadableItemNeverLeadsToANewKey(
        _ status: KeychainStatus, _ code: PushCryptError.Code
    ) throws {
        let time = TestClock()
        let first = try fixture.device(time: time).prepare().registration
        let before = fixture.bytes
        fixture.keychain.failNext(.copyMatching, with: status)
        #expect(thrownError { try fixture.device(time: time).prepare() }?.code == code)
        fixture.keychain.failNext(.copyMatching, with: status)
        #expect(thrownError { try fixture.device(time: time).registration() }?.code == code)
        #expect(fixture.bytes == before && fixture.keychain.count(of: .add) == 1)
        #expect(try fixture.device(time: time).prepare() == (.unchanged, first, false))
    }

    @Test("The extension gets the reason why a key is unreadable", arguments: failures)
    func extensionGetsTheReasonWhyAKeyIsUnreadable(
        _ status: KeychainStatus, _ code: PushCryptError.Code
    ) throws {
        let key = try fixture.make().primary.key.publicKey
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: key)
        let opener = Opener(keys: fixture.store, senderPolicy: .anyone)
        fixture.keychain.failNext(.copyMatching, with: status)
        let error = try #require(thrownError { try opener.open(json: push.payload) })
        #expect(error.code == code && error.reason.contains("\(status.rawValue)"))
        #expect(
            try opener.open(json: push.payload).payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
    }

    @Test(
        "Data that isn't a keyring stays unchanged",
        arguments: ["", "{}", "no keyring", #"{"generation":1,"keys":[]}"#])
    func dataThatIsntAKeyringStaysUnchanged(_ text: String) throws {
        fixture.put(try KeychainFixture.secret(text))
        #expect(thrownError { try fixture.store.keyring() } != nil)
        #expect(
            thrownError { try fixture.store.recipientKey(TestKeys.device().publicKey.keyID) }?.code
                != .unknownKey)
        let ring = try fixture.ring()
        var asked = false
        let error = thrownError {
            try fixture.store.update {
                asked = true
                $0 = ring
            }
        }
        #expect(error != nil && !asked)
        #expect(
            thrownError { try fixture.device(time: TestClock()).prepare() }?.code == .keyUnreadable)
        #expect(fixture.bytes == Array(text.utf8))
        #expect(fixture.keychain.count(of: .add) == 0 && fixture.keychain.count(of: .update) == 0)
    }

    @Test("An item without data isn't missing") func itemWithoutDataIsntMissing() throws {
        fixture.put(nil)
        #expect(thrownError { try fixture.store.keyring() }?.code == .keyUnreadable)
        #expect(
            thrownError { try fixture.device(time: TestClock()).prepare() }?.code == .keyUnreadable)
        #expect(try fixture.item.data == nil && fixture.keychain.count(of: .update) == 0)
    }

    @Test("Errors don't contain keys") func errorsDontContainKeys() throws {
        let ring = try fixture.make()
        let text = String(decoding: try #require(fixture.bytes), as: UTF8.self)
        let start = try #require(text.range(of: "\"d\":\"")).upperBound
        let secret = String(text[start...].prefix(43))
        var errors: [PushCryptError?] = []
        for (status, _) in Self.failures {
            fixture.keychain.failNext(.copyMatching, with: status)
            errors.append(thrownError { try fixture.store.keyring() })
            fixture.keychain.failNext(.update, with: status)
            errors.append(thrownError { try fixture.rotate(fixture.store) })
        }
        for damaged in [
            text.replacing("\"primary\"", with: "\"other\""), String(text.dropLast(5)),
            text.replacing("\"generation\":1", with: "\"generation\":0"),
            text.replacing(ring.primary.key.publicKey.kid, with: "x"),
        ] {
            fixture.put(try KeychainFixture.secret(damaged))
            errors.append(thrownError { try fixture.store.keyring() })
            errors.append(thrownError { try fixture.device(time: TestClock()).prepare() })
        }
        #expect(errors.count == 24)
        for error in errors {
            let error = try #require(error)
            for length in [8, 43] { #expect(!error.description.contains(secret.prefix(length))) }
        }
    }
}
