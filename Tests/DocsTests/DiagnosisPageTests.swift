import ArgumentParser
import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

@testable import PushCryptCLI

/// The code and the report of the page about `(Encrypted)`.
@Suite(.ownThread) struct DiagnosisPageTests {
    private let page: Document
    private let scratch: Scratch
    private let userInfo: [AnyHashable: Any]
    private let inbox: PushInbox

    init() throws {
        page = try Document("Docs/Diagnosis.md")
        scratch = try Scratch()
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        userInfo = try SystemDelivery.userInfo(push.payload)
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        configuration.directory = scratch.path
        configuration.secrets = InMemorySecretsStore()
        inbox = PushInbox(configuration)
        if let error = inbox.prepare() { throw error }
    }

    #if !canImport(Darwin)
    @Test("The code finds that the extension didn't run")
    func codeFindsTheCause() throws {
        _ = try inbox.read(UNNotification(date: Date(), request: SystemDelivery.request(userInfo)))
        var lines: [String] = []
        func print(_ line: String) { lines.append(line) }
        for diagnosis in try inbox.summary().diagnoses {
            print("\(diagnosis.finding), \(diagnosis.count) times: \(diagnosis.advice)")
        }
        #expect(
            lines.count == 1 && lines.first?.hasPrefix("extension-did-not-run, 1 times: ") == true)
        for row in page.table("finding | cause") + page.table("your server sees | likely cause") {
            for code in row[0].matches(of: /`([a-z-]+)`/).map({ String($0.output.1) }) {
                let isFinding = code.hasPrefix("extension-did-not-") || code == "not-run"
                #expect(isFinding || page.text.contains("|`\(code)`|"), "\(code)")
            }
        }
    }
    #endif

    @Test("The device's findings are printed, until it has registered")
    func deviceFindsTheCause() async throws {
        let token = String(repeating: "ab", count: 32)
        var configuration = inbox.configuration
        configuration.accounts = [PushAccount("", keys: TestKeyringStore(), senderPolicy: .anyone)]
        configuration.registration.deviceID = { "phone" }
        configuration.registration.directory = { [scratch] _ in scratch.path }
        let inbox = PushInbox(configuration)
        var lines: [String] = []
        func print(_ finding: DeviceFinding) { lines.append(finding.description) }
        for finding in await inbox.diagnose(DeviceToken(token)) {
            print(finding)
        }
        #expect(lines.count == 1 && lines.first?.hasSuffix("[keys-missing]") == true)
        try await inbox.register(DeviceToken(token)) { _ in .accepted(date: Date()) }
        #expect(await inbox.diagnose(DeviceToken(token)) == [])
    }

    @Test("The doctor's commands of the page are understood, and it prints the steps of the page")
    func doctorPrintsThePage() throws {
        let command = try #require(page.blocks("sh").first { $0.contains("pushcrypt doctor") })
        let pushing = try #require(page.blocks("text").first { $0.contains("pushcrypt doctor") })
        for line in [command, pushing] {
            let words = line.replacing("\\\n", with: "").replacing(
                "'./row anna 0a1b2c'", with: "./row"
            )
            .split(separator: " ").dropFirst(2).map(String.init)
            #expect(throws: Never.self) { try DoctorCommand.parse(words) }
        }
        let steps = try #require(page.blocks("text").first { $0.hasPrefix("keyring: ok") }).split(
            separator: "\n")
        #expect(
            steps.map { String($0.prefix { $0 != ":" }) } == DoctorStep.allCases.map(\.rawValue))
    }

    @Test("The report has the members that the summary encodes")
    func reportIsTheSummary() throws {
        let shown = try SystemDelivery.userInfo(try #require(page.blocks("json").first).utf8)
        _ = try SystemDelivery.content(SystemDelivery.request(userInfo)) {
            inbox.handle($0, contentHandler: $1)
        }
        let encoded = try JSONEncoder().encode(try inbox.summary())
        let report = try SystemDelivery.userInfo(encoded)
        #expect(Set(report.keys) == Set(shown.keys))
        #expect(report["opened"] as? Int == 1)
    }
}
