import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Openers with several accounts.
@Suite struct AccountsTests {
    private let shopDevice: RecipientPrivateKey
    private let bankDevice: RecipientPrivateKey
    private let shop: SigningKey
    private let bank: SigningKey
    private let json = #"{"aps":{"alert":"text"},"k":1}"#

    init() throws {
        (shopDevice, bankDevice) = (try TestKeys.device(.alice), try TestKeys.device(.bob))
        (shop, bank) = (try TestKeys.sender(.acme), try TestKeys.sender(.mallory))
    }

    private var accounts: [PushAccount] {
        [
            PushAccount(
                "shop", keys: InMemoryKeyStore([shopDevice]),
                senderPolicy: .signed(by: shop.publicKey)),
            PushAccount(
                "bank", keys: InMemoryKeyStore([bankDevice]),
                senderPolicy: .signed(by: bank.publicKey)),
        ]
    }

    private func sealed(
        to device: RecipientPrivateKey, by sender: SigningKey? = nil,
        _ headers: APNsHeaders = APNsHeaders(.alert),
        json: String? = nil
    ) throws -> [UInt8] {
        try Sealer(sender.map { .signed(by: $0) } ?? .anonymous).seal(
            json: (json ?? self.json).utf8, for: device.publicKey, headers: headers
        ).payload
    }

    private func code(_ accounts: [PushAccount], _ payload: [UInt8]) -> PushCryptError.Code? {
        errorCode { try Opener(accounts: accounts).open(json: payload) }
    }

    // MARK: Names

    @Test("An opened push names the account of its key") func openedPushNamesTheAccountOfItsKey()
        throws
    {
        let opener = Opener(accounts: accounts)
        let (toShop, toBank) = (
            try sealed(to: shopDevice, by: shop), try sealed(to: bankDevice, by: bank)
        )
        #expect(try opener.open(json: toShop).account == "shop")
        #expect(try opener.open(json: toBank).account == "bank")
        #expect(
            try PayloadReader(json: toBank, opener: opener, unsealed: .reject).push?.account
                == "bank")
        let shown = PushInbox(PushConfiguration(accounts: accounts)).open(
            try DeliveredNotification(json: toBank))
        #expect(shown.outcome.push?.account == "bank")
        #expect(
            !"\(shown)".contains("bank"), "A name may identify a user, and descriptions go to logs."
        )
        let single = Opener(keys: InMemoryKeyStore([shopDevice]), senderPolicy: .anyone)
        #expect(try single.open(json: toShop).account == "")
    }

    @Test("A Live Activity's value opens for the second account")
    func liveActivityOpensForTheSecondAccount() throws {
        let json = #"{"aps":{"event":"update","timestamp":1,"content-state":{"minutes":7}}}"#
        let push = try sealed(to: bankDevice, by: bank, APNsHeaders(.liveActivity), json: json)
        let state = try #require(try JSONValue(parsing: push)["aps"]?["content-state"])
        let value = try JSONDecoder().decode(
            SealedActivityState<[String: Int]>.self, from: Data(try JSONText.encoded(state)))
        let opener = Opener(accounts: accounts)
        #expect(try value.value(opener: opener, unsealed: .reject) == ["minutes": 7])
        let crossed = try sealed(to: bankDevice, by: shop, APNsHeaders(.liveActivity), json: json)
        let crossedState = try #require(try JSONValue(parsing: crossed)["aps"]?["content-state"])
        let wrong = try JSONDecoder().decode(
            SealedActivityState<[String: Int]>.self, from: Data(try JSONText.encoded(crossedState)))
        #expect(throws: PushCryptError(.wrongAccount, "")) {
            try wrong.value(opener: opener, unsealed: .reject)
        }
    }

    // MARK: Policies

    @Test("An account's server can't write to another account")
    func serverCantWriteToAnotherAccount() throws {
        let crossed = [try sealed(to: shopDevice, by: bank), try sealed(to: bankDevice, by: shop)]
        #expect(crossed.map { code(accounts, $0) } == [.wrongAccount, .wrongAccount])
        #expect(try code(accounts, sealed(to: shopDevice)) == .unsigned)
        // A sender that only an account for anyone accepts is unknown.
        let open = [
            accounts[0], PushAccount("open", keys: InMemoryKeyStore([]), senderPolicy: .anyone),
        ]
        #expect(code(open, crossed[0]) == .unknownSigner)
        #expect(code([accounts[0]], crossed[0]) == .unknownSigner)
        for payload in crossed {
            let inbox = PushInbox(PushConfiguration(accounts: accounts))
            let shown = inbox.open(try DeliveredNotification(json: payload))
            #expect(shown.content.body == "(Encrypted)")
        }
    }

    @Test("The first account with a key decides") func firstAccountWithAKeyDecides() throws {
        let payload = try sealed(to: shopDevice, by: shop)
        let twin = PushAccount("twin", keys: InMemoryKeyStore([shopDevice]), senderPolicy: .anyone)
        #expect(try Opener(accounts: [twin] + accounts).open(json: payload).account == "twin")
        #expect(try Opener(accounts: accounts + [twin]).open(json: payload).account == "shop")
        #expect(try code(accounts + [twin], sealed(to: shopDevice)) == .unsigned)
    }

    // MARK: Stores

    @Test(
        "An unreadable store doesn't hide the keys of others, and isn't a missing key",
        arguments: [PushCryptError.Code.deviceLocked, .missingEntitlement, .keyUnreadable])
    func unreadableStoreIsntAMissingKey(expected: PushCryptError.Code) throws {
        let broken = PushAccount(
            "broken", keys: TestKeyStore(.failure(PushCryptError(expected, "Try later."))),
            senderPolicy: .anyone)
        let payload = try sealed(to: bankDevice, by: bank)
        for accounts in [[broken] + accounts, accounts + [broken]] {
            #expect(try Opener(accounts: accounts).open(json: payload).account == "bank")
            #expect(try code(accounts, sealed(to: RecipientPrivateKey())) == expected)
        }
        #expect(try code(accounts, sealed(to: RecipientPrivateKey())) == .unknownKey)
    }

    @Test("Equal names reject each message, and an empty list has no key")
    func equalNamesRejectEachMessage() throws {
        let payload = try sealed(to: shopDevice, by: shop)
        #expect(code(accounts + [accounts[0]], payload) == .invalidConfiguration)
        #expect(code([], payload) == .unknownKey)
    }

    // MARK: Many accounts

    @Test("No message that is signed for one of many accounts opens for another one")
    func noCrossedMessageOpens() throws {
        let count = LongRun.count(10, full: 100)
        let devices = try (0..<count).map { _ in try RecipientPrivateKey() }
        let signers = try (0..<count).map { _ in try SigningKey() }
        let opener = Opener(
            accounts: (0..<count).map { number in
                PushAccount(
                    "\(number)", keys: InMemoryKeyStore([devices[number]]),
                    senderPolicy: .signed(by: signers[number].publicKey))
            })
        var outcomes: [String: Int] = [:]
        for signer in 0..<count {
            let sealer = Sealer(.signed(by: signers[signer]))
            for device in 0..<count {
                let push = try sealer.seal(json: json.utf8, for: devices[device].publicKey)
                let outcome: String
                do {
                    let account = try opener.open(json: push.payload).account
                    outcome = account == "\(device)" && device == signer ? "opened" : "crossed"
                } catch {
                    outcome = error.code.rawValue
                }
                outcomes[outcome, default: 0] += 1
            }
        }
        #expect(outcomes == ["opened": count, "wrong-account": count * (count - 1)])
    }
}
