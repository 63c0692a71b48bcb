import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The kinds of messages, each in a push of its own kind and of every other.
@Suite struct MessageKindTests {
    private let opener: Opener
    private let inbox: PushInbox
    private let time = TestClock()

    init() throws {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: [try TestKeys.sender().publicKey]))
        configuration.time = time
        opener = configuration.opener
        inbox = PushInbox(configuration)
    }

    /// Returns the text of a signed message of a kind.
    private func text(_ kind: MessageKind) -> String {
        Base64URL.encode(
            RawMessage(
                authentication: 1, kind: kind.rawValue, issuedAt: time.now.millisecondsSince1970,
                payload: Array(#"{"aps":{"alert":"text"}}"#.utf8), signer: .acme
            ).envelope())
    }

    @Test("A message of one kind opens as no other kind", arguments: MessageKind.all)
    func messageOfOneKindOpensAsNoOtherKind(kind: MessageKind) throws {
        let userInfo = ["ENCRYPTED_DATA": text(kind)]
        let json = #"{"ENCRYPTED_DATA":"\#(text(kind))"}"#
        for other in MessageKind.all {
            let expected: PushCryptError.Code? = kind == other ? nil : .wrongKind
            #expect(errorCode { try opener.open(userInfo: userInfo, as: [other]) } == expected)
            #expect(errorCode { try opener.open(json: json, as: [other]) } == expected)
            for policy in [UnsealedPayloads.reject, .allow] {
                let read = errorCode {
                    try PayloadReader(
                        userInfo: userInfo, as: [other], opener: opener, unsealed: policy)
                }
                #expect(read == expected)
            }
        }
        #expect(try opener.open(json: json, as: MessageKind.all).kind == kind)
        #expect(errorCode { try opener.open(json: json, as: []) } == .wrongKind)
        #expect(
            errorCode { try opener.open(json: json) } == (kind == .notification ? nil : .wrongKind))
    }

    @Test(
        "An extension opens notifications, withdrawals and challenges only",
        arguments: MessageKind.all)
    func extensionOpensTheKindsOfAnAlertOnly(kind: MessageKind) {
        let delivered = DeliveredNotification(
            content: .init(body: "visible"), userInfo: ["ENCRYPTED_DATA": text(kind)])
        let shown = inbox.open(delivered)
        // The payload is one of a notification, so it withdraws nothing, and challenges nothing.
        let codes: [MessageKind: PushCryptError.Code?] = [
            .notification: nil, .withdrawal: .typeMismatch, .challenge: .invalidPayload,
        ]
        #expect(shown.outcome.failure?.code == codes[kind, default: .wrongKind])
        #expect(shown.content.body == (kind == .notification ? "text" : "(Encrypted)"))
    }

    @Test(
        "A widget opens a state as a state and attributes as attributes only",
        arguments: MessageKind.all)
    func widgetOpensEachKindInItsMemberOnly(kind: MessageKind) throws {
        typealias Members = [String: [String: String]]
        let json = Data(#"{"ENCRYPTED_DATA":"\#(text(kind))"}"#.utf8)
        let state = try JSONDecoder().decode(SealedActivityState<Members>.self, from: json)
        let attributes = try JSONDecoder().decode(
            SealedActivityAttributes<Members>.self, from: json)
        for policy in [UnsealedPayloads.reject, .allow] {
            #expect(
                errorCode { try state.value(opener: opener, unsealed: policy) }
                    == (kind == .activityState ? nil : .wrongKind))
            #expect(
                errorCode { try attributes.value(opener: opener, unsealed: policy) }
                    == (kind == .activityAttributes ? nil : .wrongKind))
        }
    }

    @Test("A state and attributes can't be exchanged") func stateAndAttributesCannotBeExchanged()
        throws
    {
        func push(_ state: MessageKind, _ attributes: MessageKind) -> String {
            """
            {"aps":{"content-state":{"ENCRYPTED_DATA":"\(text(state))"},\
            "attributes":{"ENCRYPTED_DATA":"\(text(attributes))"}}}
            """
        }
        #expect(
            errorCode { try opener.open(liveActivity: push(.activityState, .activityAttributes)) }
                == nil)
        for (state, attributes) in [
            (MessageKind.activityAttributes, MessageKind.activityState),
            (.activityState, .activityState),
            (.activityAttributes, .activityAttributes), (.notification, .activityAttributes),
        ] {
            #expect(
                errorCode { try opener.open(liveActivity: push(state, attributes)) } == .wrongKind)
        }
    }

    @Test("A rejected kind doesn't use up the message") func rejectedKindDoesNotUseUpTheMessage()
        throws
    {
        var guarded = opener
        guarded.replayGuard = InMemoryReplayGuard()
        let userInfo = ["ENCRYPTED_DATA": text(.background)]
        #expect(errorCode { try guarded.open(userInfo: userInfo) } == .wrongKind)
        #expect(errorCode { try guarded.open(userInfo: userInfo, as: [.background]) } == nil)
        #expect(errorCode { try guarded.open(userInfo: userInfo, as: [.background]) } == .replayed)
    }

    @Test("A kind has the name of the format") func kindHasTheNameOfTheFormat() throws {
        #expect(
            MessageKind.all.map(\.description) == [
                "notification", "background", "voip", "activity-state", "activity-attributes",
                "location", "pushtotalk", "withdrawal", "challenge",
            ])
        #expect(MessageKind.all == (1...9).compactMap(MessageKind.init(rawValue:)))
        #expect(MessageKind(rawValue: 0) == nil && MessageKind(rawValue: 10) == nil)
    }
}
