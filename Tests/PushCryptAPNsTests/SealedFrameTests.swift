#if APNs
import PushCryptPayload
import PushCryptSender
import PushCryptTesting
import Testing

@testable import PushCryptAPNs

/// The readable part of payloads that the sealer writes, and of others.
struct SealedFrameTests {
    private static let original = #"""
        {"aps":{"alert":{"title":"a","body":"b"},"badge":3,"category":"C","thread-id":"t","interruption-level":"active",
        "sound":{"name":"n","volume":1,"critical":1},"relevance-score":0.5,"target-content-id":"x",
        "filter-criteria":"f","content-available":1},"secret":[1]}
        """#

    private static func seal(
        _ original: String, _ type: PushType = .alert, _ change: (inout Sealer) -> Void = { _ in }
    ) throws -> [UInt8] {
        var sealer = Sealer(.anonymous)
        change(&sealer)
        return try sealer.seal(
            json: Array(original.utf8), for: TestKeys.device().publicKey, headers: APNsHeaders(type)
        ).payload
    }

    @Test("An alert fits with each placeholder and all exposed members")
    func alerts() throws {
        #expect(SealedFrame.fits(try Self.seal(Self.original), .alert))
        let all = try Self.seal(Self.original) { sealer in
            sealer.exposedKeys = Set(ExposedKey.allCases)
            sealer.placeholder = Placeholder(
                title: .localized(key: "T", arguments: ["1"]),
                subtitle: .localized(key: "S", arguments: ["2"]),
                body: .localized(key: "B", arguments: ["3"]))
        }
        #expect(SealedFrame.fits(all, .alert))
    }

    @Test(
        "A push fits in its own type",
        arguments: [PushType.background, .voip, .location, .pushToTalk])
    func otherTypes(type: PushType) throws {
        let sealed = try Self.seal(#"{"aps":{"content-available":1},"a":1}"#, type)
        #expect(SealedFrame.fits(sealed, type))
        #expect(!SealedFrame.fits(sealed, .liveActivity) && !SealedFrame.fits(sealed, .widgets))
    }

    @Test("A Live Activity fits if its state and its attributes are sealed")
    func liveActivities() throws {
        let start = try Self.seal(
            #"{"aps":{"timestamp":1,"event":"start","attributes-type":"T","attributes":{"a":1},"#
                + #""content-state":{"b":2},"alert":{"title":"a","body":"b"}}}"#, .liveActivity)
        let end = #"{"aps":{"timestamp":1,"event":"end","content-state":null}}"#
        #expect(SealedFrame.fits(start, .liveActivity))
        #expect(!SealedFrame.fits(start.dropLast() + Array(#","secret":1}"#.utf8), .liveActivity))
        #expect(!SealedFrame.fits(Array(end.utf8), .liveActivity))
    }

    @Test("An original doesn't fit, and neither do bytes that aren't JSON")
    func originals() {
        for type in [PushType.alert, .background, .voip, .liveActivity] {
            #expect(!SealedFrame.fits(Array(Self.original.utf8), type))
            for text in ["", "[]", "{}", #"{"aps":1}"#, #"{"ENCRYPTED_DATA":"AQ"}"#, "\u{FFFD}"] {
                #expect(!SealedFrame.fits(Array(text.utf8), type), "\(text)")
            }
        }
    }
}
#endif
