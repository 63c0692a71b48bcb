import PushCryptTesting
import Testing

@testable import PushCryptSender

/// What the messages of a payload need, and the room that there is.
@Suite struct MessageRoomTests {
    private func room(
        _ json: String, _ type: PushType = .alert, limit: Int = 4096, isSigned: Bool = false
    ) throws -> (room: MessageRoom, visible: Int) {
        let original = try OriginalPayload(Array(json.utf8))
        let visible = try VisiblePart(original, type, .standard, [])
        return (MessageRoom(visible, limit: limit, isSigned: isSigned), visible.bytes.count)
    }

    @Test func oneMessageNeedsItsHeaderAndItsSignature() throws {
        let json = #"{"aps":{"alert":"a"}}"#
        let (plain, visible) = try room(json)
        #expect(plain.first == 27 + json.utf8.count && plain.second == nil)
        #expect(visible == 80 && plain.characters == 4016)
        // 4016 characters are 3012 bytes.
        #expect(plain.remaining == 3012 - 57 - 27 - json.utf8.count)
        #expect(plain.neededCharacters == ((57 + 27 + json.utf8.count) * 4 + 2) / 3)
        let signed = try room(json, isSigned: true).room
        #expect(signed.first == 27 + json.utf8.count + 72 && signed.remaining == plain.remaining - 72)
    }

    @Test func theTwoOfALiveActivityNeedTheirOwn() throws {
        let json =
            #"{"aps":{"event":"start","content-state":{"a":1},"attributes":{},"attributes-type":"T","timestamp":1}}"#
        let (room, visible) = try room(json, .liveActivity)
        #expect(room.first == 27 + 7 && room.second == 27 + 2)
        #expect(visible == json.utf8.count - 9 + 2 * #"{"ENCRYPTED_DATA":""}"#.utf8.count)
        #expect(room.characters == 4096 - visible)
        let texts = [57 + 34, 57 + 29].map { ($0 * 4 + 2) / 3 }
        #expect(room.neededCharacters == texts[0] + texts[1])
        #expect(room.remaining == (4096 - visible - texts[1]) * 3 / 4 - 57 - 34)
    }

    @Test func whereNothingIsSealedTheCharactersRemain() throws {
        let json = #"{"aps":{"event":"end","timestamp":1}}"#
        let room = try room(json, .liveActivity).room
        #expect(room.first == nil && room.second == nil && room.neededCharacters == 0)
        #expect(room.remaining == 4096 - json.utf8.count && room.characters == room.remaining)
    }

    @Test func whereTheVisiblePartIsTooLongAloneNothingRemains() throws {
        for limit in [0, 79, 80, 81, 155] {
            let room = try room(#"{"aps":{"alert":"a"}}"#, limit: limit).room
            #expect(room.characters == limit - 80)
            #expect(room.remaining < 0 && -room.remaining > 21, "More are too many than the original has.")
        }
    }
}
