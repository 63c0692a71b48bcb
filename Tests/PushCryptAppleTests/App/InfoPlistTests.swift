import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// The settings that the app and its extensions have in their Info.plist.
@Suite(.ownThread) struct InfoPlistTests {
    private let requests: Requests

    init() throws {
        requests = try Requests()
    }

    // MARK: The keychain group

    private func failure(ofKeychainGroup group: Any?) -> PushCryptError? {
        let store = KeychainStore(InfoPlist(group.map { ["PushCryptKeychainGroup": $0] } ?? [:]))
        var errors: [PushCryptError] = []
        do throws(PushCryptError) { _ = try store.keyring() } catch { errors.append(error) }
        do throws(PushCryptError) { try store.deleteKeyring() } catch { errors.append(error) }
        do throws(PushCryptError) { try store.update { (_) throws(PushCryptError) in } } catch {
            errors.append(error)
        }
        #expect(errors.count == 3 && Set(errors.map(\.reason)).count == 1)
        return errors.first
    }

    @Test(
        "A wrong keychain group fails each call, and the reason names the Info.plist's key and the fix",
        arguments: [
            (nil, "is missing or empty", "$(AppIdentifierPrefix)"),
            ("", "is missing or empty", "$(AppIdentifierPrefix)"),
            ("YOUR_TEAM.com.example", "placeholder YOUR_TEAM", "$(AppIdentifierPrefix)"),
            (
                "$(AppIdentifierPrefix)com.example.shared",
                "is $(AppIdentifierPrefix)com.example.shared at run time", "Expand Build Settings"
            ),
            ("${AppIdentifierPrefix}com.example.shared", "at run time", "Expand Build Settings"),
            ("ABCDE12345. com.example", "isn't valid", "$(AppIdentifierPrefix)"),
        ] as [(String?, String, String)])
    func wrongKeychainGroupIsNamed(group: String?, problem: String, fix: String) throws {
        let error = try #require(failure(ofKeychainGroup: group))
        #expect(error.code == .invalidConfiguration)
        #expect(error.reason.hasPrefix("PushCryptKeychainGroup "))
        #expect(error.reason.contains(problem) && error.reason.contains(fix))
    }

    @Test("Values of other types are named, too")
    func otherTypesAreNamed() throws {
        for value in [5, true, ["a": "b"], [String](), ["a", "b"], Data()] as [Any] {
            let error = try #require(failure(ofKeychainGroup: value))
            #expect(
                error.code == .invalidConfiguration
                    && error.reason.hasPrefix("PushCryptKeychainGroup "))
        }
    }

    #if !canImport(Security)
    @Test(
        "A group with a prefix and one without are used",
        arguments: ["ABCDE12345.com.example.a", "com.example.a"])
    func groupIsUsed(group: String) throws {
        // Only the call of the keychain fails, which Linux doesn't have.
        #expect(failure(ofKeychainGroup: group)?.code == .keyUnreadable)
    }
    #endif

    // MARK: The carrier

    @Test("The carrier is APNs if the setting is missing, and unknown if it isn't valid")
    func carrier() {
        #expect(InfoPlist([:]).carrier == .apns)
        #expect(InfoPlist(["PushCryptCarrier": "expo"]).carrier == .expo)
        for value in [5, "", "Expo", ["expo"], "$(CARRIER)"] as [Any] {
            let carrier = InfoPlist(["PushCryptCarrier": value]).carrier
            let opener = Opener(
                keys: InMemoryKeyStore([requests.device]), senderPolicy: .anyone, carrier: carrier)
            let error = thrownError { try opener.open(userInfo: ["ENCRYPTED_DATA": "AQ"]) }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    // MARK: The server's key

    /// Returns what an extension with this value displays for a message of the server.
    private func outcome(ofServerKey value: Any?) throws -> (
        body: String, event: String, reason: String
    ) {
        final class Service: TestService {
            let failures = LockedValue<[PushCryptError]>([])
            override func log(_ event: PushEvent) {
                super.log(event)
                if let failure = event.failure { failures.withLock { $0.append(failure) } }
            }
        }
        let policy = InfoPlist(value.map { ["PushCryptServerKey": $0] } ?? [:]).senderPolicy
        let service = Service(
            TestService.Setting(keys: InMemoryKeyStore([requests.device]), senderPolicy: policy))
        let recorder = ContentRecorder()
        service.didReceive(try requests.sealed("text"), withContentHandler: recorder.handler)
        let body = try #require(recorder.wait()).body
        #expect(eventually { service.events.withLock { !$0.isEmpty } })
        return (
            body, service.events.withLock { $0[0] },
            service.failures.withLock { $0.first?.reason ?? "" }
        )
    }

    @Test("The server's key opens messages as raw key, as JWK and among several")
    func serverKeyOpensMessages() throws {
        let key = requests.server.publicKey
        let raw = try #require(key.jwk.firstMatch(of: #/"x":"([^"]+)"/#)).output.1
        let other = try TestKeys.sender(.mallory).publicKey.jwk
        for value in [String(raw), key.jwk, [other, String(raw)]] as [Any] {
            #expect(try outcome(ofServerKey: value).body == "text")
        }
        #expect(try outcome(ofServerKey: other).event == "unknown-signer")
    }

    @Test(
        "A wrong server's key shows the fallback, and the reason names the Info.plist's key",
        arguments: [
            (nil, "is missing"), ("", "is missing or empty"),
            ("YOUR_SERVER_KEY", "is the placeholder YOUR_SERVER_KEY"),
            ("$(SERVER_KEY)", "is $(SERVER_KEY) at run time"), ("no key", "isn't valid"),
        ] as [(String?, String)])
    func wrongServerKeyShowsTheFallback(value: String?, problem: String) throws {
        let (body, event, reason) = try outcome(ofServerKey: value)
        #expect(body == "(Encrypted)" && event == "invalid-configuration")
        #expect(reason.hasPrefix("PushCryptServerKey ") && reason.contains(problem))
    }

    @Test("A device's key or a private key isn't accepted, and no reason contains it")
    func otherKeysAreNotAccepted() throws {
        let device = requests.device.publicKey.jwk
        #expect(try outcome(ofServerKey: device).event == "invalid-configuration")
        let secret = String(repeating: "A", count: 42) + "E"
        let jwk = requests.server.publicKey.jwk.replacing("{", with: #"{"d":"\#(secret)","#)
        let (body, _, reason) = try outcome(ofServerKey: jwk)
        #expect(
            body == "(Encrypted)"
                && reason.hasPrefix("PushCryptServerKey in the Info.plist isn't valid"))
        #expect(!reason.contains(secret))
        for value in [[String](), [requests.server.publicKey.jwk, ""], 5] as [Any] {
            #expect(try outcome(ofServerKey: value).event == "invalid-configuration")
        }
    }

    // MARK: The app group

    @Test(
        "A wrong app group is named",
        arguments: [nil, "", "YOUR_GROUP", "$(GROUP)", "group.a b"] as [String?])
    func wrongAppGroupIsNamed(group: String?) {
        let plist = InfoPlist(group.map { ["PushCryptAppGroup": $0] } ?? [:])
        guard case .failure(let error) = plist.appGroup else {
            Issue.record("The group was accepted.")
            return
        }
        #expect(error.code == .invalidConfiguration && error.reason.hasPrefix("PushCryptAppGroup "))
    }

    @Test("An app group is read") func appGroupIsRead() throws {
        #expect(
            try InfoPlist(["PushCryptAppGroup": "group.com.example.app"]).appGroup.get()
                == "group.com.example.app")
    }

    // MARK: The hosts of attachments

    @Test("A host and several hosts of attachments are read")
    func attachmentHostsAreRead() throws {
        for (value, hosts) in [
            ("media.example.com", ["media.example.com"]),
            (["a.example", "B-2.example"], ["a.example", "B-2.example"]),
        ] as [(Any, Set<String>)] {
            let plist = InfoPlist(["PushCryptAttachmentHosts": value])
            #expect(try plist.attachmentHosts.get() == hosts)
            #expect(plist.attachmentDownloader is URLSessionDownloader)
        }
    }

    @Test(
        "Wrong hosts of attachments are named",
        arguments: [
            nil, "", "YOUR_HOST", "$(HOST)", "https://a.example", "a.example:443", "a.example/b",
            "user@a.example",
            "a.example b.example", "*.\u{E9}xample",
        ] as [String?])
    func wrongAttachmentHostsAreNamed(host: String?) {
        let plist = InfoPlist(host.map { ["PushCryptAttachmentHosts": $0] } ?? [:])
        guard case .failure(let error) = plist.attachmentHosts else {
            Issue.record("The host was accepted.")
            return
        }
        #expect(
            error.code == .invalidConfiguration
                && error.reason.hasPrefix("PushCryptAttachmentHosts "))
        #expect(!(plist.attachmentDownloader is URLSessionDownloader))
    }

    // MARK: The defaults

    @Test("The defaults read the main bundle, and each missing setting is reported")
    func defaultsReadTheMainBundle() throws {
        class Unfinished: SealedNotificationService {
            let reasons = LockedValue<[String]>([])
            override func log(_ event: PushEvent) {
                super.log(event)
                guard let error = event.failure else { return }
                reasons.withLock { $0.append(error.reason) }
                #expect(error.code == .invalidConfiguration)
            }
        }
        final class WithKeys: Unfinished {
            override var configuration: PushConfiguration {
                var configuration = super.configuration
                if let store = Self.store.withLock({ $0 }) {
                    configuration.accounts = [
                        PushAccount("", keys: store, senderPolicy: .infoPlist)
                    ]
                }
                return configuration
            }
            static let store = LockedValue<InMemoryKeyStore?>(nil)
        }
        // The process of the tests has no Info.plist.
        #expect(SharedContainer.path == nil)
        #expect(throws: PushCryptError(.invalidConfiguration, "")) { try KeychainStore().keyring() }
        WithKeys.store.withLock { $0 = InMemoryKeyStore([requests.device]) }
        for (service, key) in [
            (Unfinished(), "PushCryptKeychainGroup"), (WithKeys(), "PushCryptServerKey"),
        ] {
            #expect(service.configuration.directory == nil)
            let recorder = ContentRecorder()
            service.didReceive(try requests.sealed("text"), withContentHandler: recorder.handler)
            #expect(recorder.wait()?.body == "(Encrypted)")
            #expect(eventually { service.reasons.withLock { $0.count == 2 } })
            let reasons = service.reasons.withLock { $0 }
            #expect(
                reasons.first?.hasPrefix("PushCryptAppGroup in the Info.plist is missing") == true)
            #expect(reasons.last?.hasPrefix("\(key) in the Info.plist is missing") == true)
        }
    }
}
