import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The stored keyring of a device.
@Suite struct DeviceKeyringJSONTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func keyring(_ members: String) throws -> DeviceKeyring {
        let text = RingText(keys: [RingText.entry(.device(.alice), "primary")]).text
        return try DeviceKeyring(parsing: Array(("{" + members + "," + text.dropFirst()).utf8).span)
    }

    @Test(
        "Lists of accepted keys are an array of strings",
        arguments: [#""a.b.c""#, #"{"a":"a.b.c"}"#, #"["a.b.c",1]"#, "[null]", "null", "1", "true"])
    func listsAreAnArray(_ lists: String) {
        #expect(thrownError { try keyring(#""lists":["a.b.c"]"#) } == nil)
        #expect(thrownError { try keyring(#""lists":\#(lists)"#) }?.code == .malformedKeyring)
    }

    @Test("A damaged list is written with escapes") func listsAreEscaped() throws {
        let ring = try keyring(#""lists":["a\"b\\\n","c.d.e"]"#)
        let (stored, contents) = try ring.exportToStore()
        #expect(stored.signerLists == ["a\"b\\\n", "c.d.e"])
        #expect(try stored.exportWithPrivateKeys().isEqual(to: contents))
    }

    @Test(
        "A damaged clock, owner or count is an error",
        arguments: [
            #""clock":1"#, #""estimated":1"#, #""clock":1,"estimated":-1"#,
            #""clock":"1","estimated":1"#,
            #""clock":1,"estimated":1,"counted":null"#, #""owner":1"#, #""signers":[]"#,
            #""signers":["a"]"#,
        ])
    func damagedMember(_ members: String) {
        #expect(thrownError { try keyring(members) }?.code == .malformedKeyring)
    }

    @Test("An observation is stored without a new generation") func observationIsStored() throws {
        let scratch = try Scratch()
        let store = KeyringFileStore(path: scratch.file())
        try store.update { (ring) throws(PushCryptError) in
            ring = try DeviceKeyring(observedFrom: now, owner: #"an "owner""#)
        }
        try store.update { (ring) throws(PushCryptError) in ring?.observe(now + 7200) }
        let read = try #require(try store.keyring())
        #expect(read.generation == 1 && read.owner == #"an "owner""#)
        #expect(read.elapsedTime?.clock == now + 7200 && read.elapsedTime?.estimate == now + 7200)
    }

    /// The stored text of the version before keyrings of devices had a type of their own.
    @Test("A keyring of an earlier version keeps its bytes") func earlierBytes() throws {
        let kid = try TestKeys.device().publicKey.kid
        let list = #""lists":["a.b.c"],"signers":["\#(kid)"],"#
        let members =
            #""clock":1700000100,"estimated":1700000200,"counted":1700000150,"owner":"d.i",\#(list)"#
        let text = try DeviceKeyring(createdAt: now).state
            .replacingOccurrences(of: #""generation":1,"#, with: #""generation":7,\#(members)"#)
            .replacingOccurrences(
                of: #""created":1700000000,"#,
                with: #""created":1700000000,"lifetime":604800,"counted":1699999999,"#)
        let ring = try DeviceKeyring(parsing: Array(text.utf8).span)
        #expect(ring.elapsedTime?.marks.values.map(\.timeIntervalSince1970) == [1_699_999_999])
        #expect(try ring.state == text)
    }
}
