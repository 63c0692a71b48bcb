import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// `seal --carrier`: the requests of services that send pushes.
@Suite(.toolThreads, .thorough) struct SealCarrierTests {
    private static let payload = #"{"aps":{"alert":"a"}}"#
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createDevice()
    }

    private func seal(_ arguments: String..., input: String = payload) throws -> Tool.Run {
        try tool.run(all: ["seal", "--anonymous"] + arguments, input: input)
    }

    @Test("The body of the request is written, and opens") func body() throws {
        let run = try seal(
            "--to", "device.jwk", "--carrier", "firebase", "--device", "t1", "--topic",
            "com.example.app")
        #expect(run.status == 0, "\(run.errors)")
        let message = try #require(try JSONValue(parsing: Array(run.output))["message"])
        #expect(message["token"]?.stringValue == "t1")
        #expect(message["apns"]?["headers"]?["apns-topic"]?.stringValue == "com.example.app")
        let payload = try #require(message["apns"]?["payload"])
        let opened = try tool.run(
            "open", "--anyone", "--keyring", "device.jwks",
            input: String(decoding: try JSONText.encoded(payload), as: UTF8.self))
        #expect(opened.text == Self.payload)
    }

    @Test("What another carrier delivers is opened at its location") func delivered() throws {
        let run = try seal(
            "--to", "device.jwk", "--carrier", "expo", "--device", "ExponentPushToken[a]")
        let data = try #require(try JSONValue(parsing: Array(run.output))["data"])
        let delivered = String(
            decoding: try JSONText.encoded(JSONValue.object(["body": data])), as: UTF8.self)
        let options = ["--anyone", "--keyring", "device.jwks"]
        let opened = try tool.run(all: ["open", "--carrier", "expo"] + options, input: delivered)
        #expect(opened.text == Self.payload)
        let shown = try tool.run(all: ["preview", "--carrier", "expo"] + options, input: delivered)
        #expect(shown.status == 0 && shown.text.contains("a"))
        let direct = try tool.run(all: ["open"] + options, input: delivered)
        #expect(
            direct.status == 65 && direct.output.isEmpty
                && direct.errors.contains("ENCRYPTED_DATA is missing"))
    }

    @Test("--envelope writes the headers beside the body") func envelope() throws {
        let run = try seal(
            "--to", "device.jwk", "--carrier", "expo", "--device", "0a", "--envelope")
        #expect(run.text.hasSuffix("}\n"))
        let line = try JSONValue(parsing: Array(run.output.dropLast()))
        #expect(line["headers"]?["Content-Type"]?.stringValue == "application/json")
        #expect(line["payload"]?["to"]?.stringValue == "0a")
        #expect(line["payload"]?["data"]?["ENCRYPTED_DATA"] != nil)
    }

    @Test("Each line has its token, and its answer has the request") func lines() throws {
        let key = try tool.read("device.jwk")
        let input = """
            {"id":1,"to":\(key),"token":"ExponentPushToken[a]"}
            {"id":2,"to":\(key)}
            {"id":3,"to":\(key),"token":"a b"}

            """
        try tool.write(Self.payload, to: "payload.json")
        let run = try seal(
            "--lines", "--carrier", "expo", "--payload", "payload.json", input: input)
        #expect(run.status == 65)
        let answers = try run.text.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8))
        }
        try #require(answers.count == 3)
        #expect(answers[0]["payload"]?["to"]?.stringValue == "ExponentPushToken[a]")
        #expect(answers[0]["payload"]?["data"]?["ENCRYPTED_DATA"] != nil)
        #expect(answers[0]["headers"]?["Content-Type"]?.stringValue == "application/json")
        #expect(answers[1]["error"]?["code"]?.stringValue == "missing-value")
        #expect(answers[2]["error"]?["code"]?.stringValue == "invalid-header")
    }

    @Test(
        "Options that don't fit are wrong usage",
        arguments: [
            (["--carrier", "fax", "--device", "t"], "firebase-android"),
            (["--carrier", "expo"], "--device TOKEN"),
            (["--device", "t"], "requires '--carrier'"),
            (["--carrier", "onesignal", "--device", "t"], "'--app-id'"),
            (["--carrier", "expo", "--device", "t", "--app-id", "a"], "'--app-id'"),
            (
                ["--carrier", "expo", "--device", "t", "--simulator", "--bundle-id", "a.b"],
                "'--carrier'"
            ),
            (["--lines", "--carrier", "expo", "--device", "t"], "\"token\""),
        ])
    func usage(options: [String], reason: String) throws {
        let to = options.contains("--lines") ? [] : ["--to", "device.jwk"]
        let run = try tool.run(all: ["seal", "--anonymous"] + to + options, input: Self.payload)
        #expect(run.status == 64 && run.errors.contains(reason), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test("A push type that the carrier doesn't take is an error") func pushType() throws {
        let run = try seal(
            "--to", "device.jwk", "--carrier", "expo", "--device", "t", "--type", "voip")
        #expect(
            run.errors.contains("Expo takes no sealed voip pushes. Send them to APNs."),
            "\(run.errors)")
        #expect(run.status != 0 && run.output.isEmpty)
    }
}
