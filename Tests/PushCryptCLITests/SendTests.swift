import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// `send` without a network, and what other commands do for it.
@Suite(.toolThreads, .thorough) struct SendTests {
    private static let send = [
        "send", "--p8", "key.p8", "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ", "--topic",
        "com.example.app",
    ]
    private static let payload = #"{"aps":{"alert":{"title":"t","body":"b"}},"n":1.10}"#
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.createDevice()
    }

    @Test("The help is the same in every build, and says how to build the command")
    func helpTellsTheBuild() throws {
        let help = try tool.run("help", "send")
        let text = help.text.replacing(/\s+/, with: " ")
        #expect(
            help.status == 0
                && text.contains("'swift build -c release --traits APNs --product pushcrypt'"))
        #expect(text.contains("--key-id <id>") && text.contains("Example: pushcrypt send"))
    }

    #if !APNs
    @Test(
        "Without the trait, every use of the command says how to build it",
        arguments: [
            ["send"], ["send", "--nosuch"], Self.send + ["--device", "00fc"],
            Self.send + ["--lines"],
        ])
    func aBuildWithoutTheTrait(arguments: [String]) throws {
        let run = try tool.run(all: arguments)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.errors.contains("error: This tool was built without 'send'."), "\(run.errors)")
        #expect(run.errors.contains("'swift build -c release --traits APNs --product pushcrypt'"))
    }
    #else
    @Test(
        "Wrong usage ends with status 64",
        arguments: [
            (["send"], "'--p8 <file>'"), (Self.send, "'--device TOKEN' or '--lines'"),
            (Self.send + ["--lines", "--device", "00fc"], "'--device TOKEN' or '--lines'"),
            (Self.send + ["--lines", "--ca", "ca.pem"], "'--ca' requires '--host'"),
            (Self.send + ["--lines", "--host", "localhost", "--sandbox"], "excludes '--sandbox'"),
            (Self.send + ["--device", "00fc", "--resume"], "'--resume' requires '--lines'"),
            (Self.send + ["--lines", "--threads", "2"], "Unknown option '--threads'"),
            (Self.send + ["--device", "00fc", "--unordered"], "'--unordered' requires '--lines'"),
            (Self.send + ["--device", "00fc", "--retry", "old"], "'--retry' requires '--lines'"),
            (Self.send + ["--lines", "--resume"], "'--resume' continues a file. Add '-o FILE'."),
            (
                Self.send + ["--lines", "--concurrency", "0"],
                "'--concurrency' a number from 1 to 10000"
            ),
            (
                Self.send + ["--lines", "--connections", "101"],
                "'--connections' a number from 1 to 100"
            ),
            (Self.send + ["--lines", "--patience", "60"], "Give a number and a unit"),
            (Self.send + ["--lines", "--retry", "old", "--unordered"], "Remove '--unordered'."),
            (
                Self.send + ["--lines", "--retry", "old", "lines"],
                "'--retry' reads the earlier output"
            ),
            (
                Self.send + ["--lines", "--retry", "out", "-o", "out"],
                "is a file that the command reads"
            ),
            (Self.send + ["--lines", "--priority", "3"], "The header apns-priority isn't valid."),
            (
                Self.send + ["--lines", "--expiration", "soon"],
                "Give a period as in 12h, or seconds since 1970, or 0."
            ),
            (Self.send + ["--lines", "--expiration", "0s"], "Give 0 for one attempt."),
            (
                Self.send + ["--lines", "--expiration", "1764000000000"],
                "Give a period as in 12h, or seconds since 1970, or 0."
            ),
            (Self.send + ["--lines", "--p8", "{\n"], "got file contents"),
            (
                Self.send + ["--lines", "--token-file", "out", "-o", "out"],
                "is a file that the command reads"
            ),
        ] as [([String], String)])
    func wrongUsageIs64(arguments: [String], message: String) throws {
        try tool.write("{}", to: "out", mode: 0o600)
        let run = try tool.run(all: arguments)
        #expect(
            run.status == 64 && run.output.isEmpty && run.errors.contains(message), "\(run.errors)")
    }

    @Test("A push without a topic is wrong usage, with an envelope too") func missingTopic() throws
    {
        let envelope = try tool.run(
            "seal", "--to", "device.jwk", "--anonymous", "--envelope", input: Self.payload
        ).text
        for input in [Self.payload, envelope] {
            let run = try tool.run(all: Self.send.dropLast(2) + ["--device", "00fc"], input: input)
            #expect(
                run.status == 64 && run.errors.contains("The topic is missing. Add '--topic'"),
                "\(run.errors)")
        }
    }

    @Test(
        "An option with another value than the envelope has is wrong usage",
        arguments: [
            ["--priority", "5"], ["--type", "voip"], ["--expiration", "0"],
            ["--expiration", "1h"], ["--collapse-id", "other"], ["--topic", "com.example.other"],
        ])
    func conflictWithTheEnvelope(option: [String]) throws {
        let envelope = try tool.run(
            "seal", "--to", "device.jwk", "--anonymous", "--envelope", "--priority", "10",
            "--collapse-id", "id", "--topic", "com.example.app", input: Self.payload
        ).text
        let run = try tool.run(
            all: Self.send.dropLast(2) + ["--device", "00fc"] + option, input: envelope)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(
            run.errors.contains("The envelope has another apns-")
                && run.errors.contains("Remove '\(option[0])', or seal with it."), "\(run.errors)")
    }

    @Test("A key that can't be used ends with status 1, and its text isn't printed")
    func aWrongKey() throws {
        for (text, mode, message) in [
            (nil, 0o600, "--p8: key.p8 does not exist."), ("geheim", 0o644, "chmod 600 key.p8"),
            ("-----BEGIN PRIVATE KEY-----\ngeheim\n", 0o600, "--p8: The key is incomplete"),
        ] as [(String?, Int, String)] {
            if let text { try tool.write(text, to: "key.p8", mode: mode) }
            let run = try tool.run(
                all: Self.send + ["--device", "00fc"], input: Self.payload,
                environment: ["XDG_CACHE_HOME": tool.path("cache")])
            #expect(
                run.status == 1 && run.output.isEmpty && run.errors.contains(message),
                "\(run.errors)")
            #expect(!run.errors.contains("geheim"))
        }
    }
    #endif

    // MARK: Other commands

    @Test("seal --expiration sets the end of the attempts, up to the lifetime") func expiration()
        throws
    {
        let seal = ["seal", "--to", "device.jwk", "--anonymous", "--topic", "com.example.app"]
        let now = Int(Date().timeIntervalSince1970)
        let key = try tool.read("device.jwk")
        for (argument, range) in [
            ("0", 0...0), ("1h", now + 3600...now + 3700), ("\(now + 100)", now + 100...now + 100),
            ("90d", now + 604_800...now + 604_900), ("1764000000", 1_764_000_000...1_764_000_000),
        ] {
            let one = try tool.run(
                all: seal + ["--envelope", "--expiration", argument], input: Self.payload)
            let lines = try tool.run(
                "seal", "--lines", "--anonymous", "--expiration", argument,
                input: #"{"to":\#(key),"type":"alert","payload":\#(Self.payload)}"#)
            for run in [one, lines] {
                let found = run.text.firstMatch(of: /"apns-expiration":"(\d+)"/)?.output.1
                #expect(found.flatMap { Int($0) }.map(range.contains) == true, "\(run.errors)")
                #expect(run.errors.contains("is in the past") == (argument == "1764000000"))
            }
        }
        for argument in ["0s", "soon", "-1", "4294967296"] {
            let run = try tool.run(
                all: seal + ["--envelope", "--expiration", argument], input: Self.payload)
            #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
        }
        let alone = try tool.run(
            all: seal.dropLast(2) + ["--expiration", "1h"], input: Self.payload)
        #expect(alone.status == 64 && alone.errors.contains("'--expiration' requires"))
    }

    @Test("seal --envelope prints one line with the headers") func envelope() throws {
        let seal = ["seal", "--to", "device.jwk", "--anonymous", "--envelope"]
        let before = Int(Date().timeIntervalSince1970)
        let input = #"{"aps":{"alert":"a"},\#n"k":[1,\#r\#n2]}"#
        let options = [
            "--lifetime", "5m", "--topic", "com.example.app", "--collapse-id", "news", "--priority",
            "5",
        ]
        let run = try tool.run(all: seal + options, input: input)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.text.hasSuffix("}}\n") && run.text.filter(\.isNewline).count == 1)
        let object = try JSONValue(parsing: run.output)
        #expect(object.objectValue?.keys.sorted() == ["headers", "payload"])
        let headers = try #require(object["headers"])
        let expiration = try #require(headers["apns-expiration"]?.stringValue.flatMap { Int($0) })
        #expect((before + 300...Int(Date().timeIntervalSince1970) + 300).contains(expiration))
        for (name, value) in [
            ("apns-topic", "com.example.app"), ("apns-collapse-id", "news"),
            ("apns-push-type", "alert"),
            ("apns-priority", "5"),
        ] {
            #expect(headers[name]?.stringValue == value, "\(name)")
        }
        let payload = try #require(object["payload"]).json()
        let opened = try tool.run(
            "open", "--anyone", "--keyring", "device.jwks",
            input: String(decoding: payload, as: UTF8.self))
        #expect(opened.text == #"{"aps":{"alert":"a"},"k":[1,2]}"#)
        for wrong in [["--lines"], ["--simulator", "--bundle-id", "a.b"]] {
            let run = try tool.run(all: seal + wrong, input: Self.payload)
            #expect(
                run.status == 64 && run.errors.contains("'--envelope'")
                    || run.errors.contains("'--to'"))
        }
        let topic = try tool.run(all: seal.dropLast() + ["--topic", "a.b"], input: Self.payload)
        #expect(topic.status == 64)
        #expect(topic.errors.contains("'--envelope', '--lines' or '--carrier'"), "\(topic.errors)")
        let wrongTopic = try tool.run(
            all: seal + ["--topic", "a.b", "--type", "voip"], input: Self.payload)
        #expect(wrongTopic.errors.contains("Append .voip"), "\(wrongTopic.errors)")
    }

    @Test("seal --simulator names the app in a payload that still opens")
    func theSimulatorGetsAFile() throws {
        let seal = ["seal", "--to", "device.jwk", "--anonymous"]
        let simulated = try tool.run(
            all: seal + ["--simulator", "--bundle-id", "com.example.app", "-o", "a.apns"],
            input: Self.payload)
        #expect(
            simulated.status == 0 && simulated.errors.contains("runs no extension"),
            "\(simulated.errors)")
        let file = try tool.read("a.apns")
        #expect(file.hasPrefix(#"{"Simulator Target Bundle":"com.example.app","aps":{"alert":"#))
        #expect(
            try tool.run("open", "--anyone", "--keyring", "device.jwks", "a.apns").text
                == Self.payload)
        let long = #"{"aps":{"alert":"\#(String(repeating: "x", count: 2500))"}}"#
        let warned = try tool.run(
            all: seal + ["--simulator", "--bundle-id", "com.example.app"], input: long)
        #expect(
            warned.status == 0 && warned.errors.contains("add '--padding none'"), "\(warned.errors)"
        )
        for options in [
            ["--simulator"], ["--bundle-id", "a.b"], ["--simulator", "--bundle-id", "a\",b"],
            ["--simulator", "--bundle-id", ""],
        ] {
            let run = try tool.run(all: seal + options, input: Self.payload)
            #expect(run.status == 64 && run.errors.contains("undle"), "\(options): \(run.errors)")
        }
        let lines = ["seal", "--lines", "--anonymous", "--simulator", "--bundle-id", "a.b"]
        #expect(try tool.run(all: lines).status == 64)
    }

    @Test("open --lines repeats a line that seal has refused") func openRepeatsRefusedLines() throws
    {
        let sealed = try tool.run(
            "seal", "--lines", "--anonymous", input: #"{"id": 1,"to":"x","payload":{}}"#)
        #expect(sealed.status == 65)
        let open = ["open", "--lines", "--keyring", "device.jwks", "--anyone"]
        let opened = try tool.run(all: open, input: sealed.text)
        #expect(
            opened.status == 65 && opened.text == sealed.text
                && opened.text.hasPrefix(#"{"id": 1,"line":1"#))
        let key = #"{"error":1,"keys":[{"kty":"OKP","d":"SECRET"}]}"#
        #expect(try !tool.run(all: open, input: key).text.contains("SECRET"))
    }

    @Test("--threads is named, and lines aren't read as the payload") func otherMistakes() throws {
        let threads = try tool.run("seal", "--lines", "--anonymous", "--threads", "0")
        #expect(
            threads.status == 64
                && threads.errors.contains("Give '--threads' a number from 1 to 1024."))
        for payload in ["-", "/dev/stdin", "/dev/fd/0"] {
            let run = try tool.run(
                "seal", "--lines", "--anonymous", "--payload", payload, input: Self.payload)
            #expect(
                run.status == 64 && run.errors.contains("Name a file for '--payload'"),
                "\(run.errors)")
        }
    }
}
