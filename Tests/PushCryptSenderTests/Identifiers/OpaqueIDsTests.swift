import PushCryptSender
import PushCryptTesting
import Testing

@Suite struct OpaqueIDsTests {
    struct Answer: Sendable {
        let sender: TestKeys.Sender
        let isThread: Bool
        let device: TestKeys.Device
        let privateID: String
        let id: String

        init(
            _ sender: TestKeys.Sender, thread: Bool, _ device: TestKeys.Device, _ privateID: String,
            _ id: String
        ) {
            self.sender = sender
            isThread = thread
            self.device = device
            self.privateID = privateID
            self.id = id
        }
    }

    /// IDs from Python's `hashlib`.
    ///
    /// `seed` has the 32 characters of the sender's key. `pk` is the device's public key from
    /// libsodium.
    ///
    ///     secret = blake2b(b"pushcrypt/v1/opaque-id", key=seed, digest_size=32).digest()
    ///     message = bytes([len(purpose)]) + purpose + pk + private_id
    ///     base64.urlsafe_b64encode(blake2b(message, key=secret, digest_size=24).digest())
    static let knownAnswers = [
        Answer(.acme, thread: false, .alice, "order-1", "AbTvxsoXnYArtop_nN4Vba_fCTgqI-fp"),
        Answer(.acme, thread: true, .alice, "order-1", "Xbve0dQOnjKAwAAO1SF0MM2nsZDY-1th"),
        Answer(.acme, thread: false, .alice, "order-2", "xPAmOBlzFVE7gBq80ST4fYOq85bU9Qmx"),
        Answer(.acme, thread: false, .bob, "order-1", "D4vPxnJsTYr46koQqfDVNKXMUY2IDKI_"),
        Answer(.mallory, thread: false, .alice, "order-1", "1pgw8VVu0x5AYygKfHVEBsm4Xw9WZKmp"),
        Answer(.acme, thread: false, .alice, "", "qNp_bHJbRcWUvWcsj25ITQQYDg06zv0q"),
        Answer(.acme, thread: true, .bob, "Müller & 山田", "g7hQVLz9L1BpnHSmO6ddmpcTDJXgJuaX"),
        Answer(
            .acme, thread: false, .alice, String(repeating: "x", count: 1000),
            "k5nEANVgZzrZxVJbnqVufg9Y8z1suF6W"),
    ]

    private func id(
        _ sender: TestKeys.Sender, thread: Bool, _ device: TestKeys.Device, _ privateID: String
    ) throws -> String {
        let ids = try OpaqueIDs(keyedBy: TestKeys.sender(sender))
        let recipient = try TestKeys.device(device).publicKey
        return thread
            ? try ids.threadID(for: privateID, to: recipient)
            : try ids.collapseID(for: privateID, to: recipient)
    }

    @Test("An ID is derived as documented", arguments: knownAnswers)
    func anIdIsDerivedAsDocumented(_ answer: Answer) throws {
        #expect(
            try id(answer.sender, thread: answer.isThread, answer.device, answer.privateID)
                == answer.id)
    }

    @Test("Every input changes the ID") func everyInputChangesTheId() throws {
        var seen: Set<String> = []
        for sender in TestKeys.Sender.allCases {
            for device in TestKeys.Device.allCases {
                for privateID in ["", "a", "b", "aa", "\u{E9}", "e\u{301}", "\0", "d\0"] {
                    for thread in [false, true] {
                        let first = try id(sender, thread: thread, device, privateID)
                        #expect(try id(sender, thread: thread, device, privateID) == first)
                        #expect(seen.insert(first).inserted)
                    }
                }
            }
        }
        #expect(seen.count == 64)
    }

    @Test(
        "An ID is short and fits a header",
        arguments: ["", "order-1", String(repeating: "order 1, for Jane Appleseed ", count: 5000)])
    func anIdIsShortAndFitsAHeader(privateID: String) throws {
        for thread in [false, true] {
            let id = try id(.acme, thread: thread, .alice, privateID)
            #expect(id.utf8.count == 32)
            #expect(
                id.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
                })
        }
        let headers = APNsHeaders(collapseID: try id(.acme, thread: false, .alice, privateID))
        _ = try Sealer(.anonymous).prepare(json: #"{"aps":{"alert":"a"}}"#.utf8, headers: headers)
    }

    @Test("Descriptions and dumps show no secret") func descriptionsAndDumpsShowNoSecret() throws {
        let ids = try OpaqueIDs(keyedBy: TestKeys.sender())
        // The seed, and the first eight bytes of the derived secret from Python.
        let seed = TestKeys.Sender.acme.rawValue
        let secret: [UInt8] = [246, 222, 27, 117, 176, 117, 183, 29]
        var dumped = ""
        dump(ids, to: &dumped)
        for text in ["\(ids)", String(describing: ids), String(reflecting: ids), dumped] {
            #expect(!text.contains(seed.prefix(8)))
            for bytes in [Array(seed.utf8), secret] {
                let shown = text.split { !$0.isNumber }.map(String.init)
                let numbers = bytes.map(String.init)
                #expect(!shown.indices.contains { shown[$0...].starts(with: numbers.prefix(3)) })
                #expect(!text.contains(bytes.prefix(4).map { String($0, radix: 16) }.joined()))
            }
        }
    }
}
