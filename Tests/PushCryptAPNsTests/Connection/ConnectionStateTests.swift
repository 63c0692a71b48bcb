#if APNs
import Testing

@testable import PushCryptAPNs

@Suite("States of a connection") struct ConnectionStateTests {
    /// An event, as a value that a test can repeat.
    enum Event: CaseIterable {
        case connected, settings, noStreams, request, accepted, rejectedToken, streamClosed, goAway,
            close
    }

    /// Returns the state after events.
    private func state(after events: [Event], firstStream: Int = 1) -> ConnectionState {
        var state = ConnectionState(firstStream: firstStream)
        for event in events { apply(event, to: &state) }
        return state
    }

    private func apply(_ event: Event, to state: inout ConnectionState) {
        switch event {
        case .connected: state.connected()
        case .settings: state.receivedSettings(streamLimit: 3)
        case .noStreams: state.receivedSettings(streamLimit: 0)
        case .request: _ = state.openStream()
        case .accepted: state.received(status: 200)
        case .rejectedToken: state.received(status: 403)
        case .streamClosed: state.closedStream()
        case .goAway: state.receivedGoAway()
        case .close: state.close()
        }
    }

    /// The events that lead to each phase.
    private static let paths: [ConnectionState.Phase: [Event]] = [
        .connecting: [],
        .waitingForSettings: [.connected],
        .firstRequestAlone: [.connected, .settings],
        .open: [.connected, .settings, .request, .accepted],
        .draining: [.connected, .settings, .request, .accepted, .goAway],
        .closed: [.close],
    ]

    /// The transitions.
    ///
    /// Every other event leaves the phase.
    private static let transitions: [ConnectionState.Phase: [Event: ConnectionState.Phase]] = [
        .connecting: [.connected: .waitingForSettings, .goAway: .draining, .close: .closed],
        .waitingForSettings: [
            .settings: .firstRequestAlone, .noStreams: .firstRequestAlone, .goAway: .draining,
            .close: .closed,
        ],
        .firstRequestAlone: [.accepted: .open, .goAway: .draining, .close: .closed],
        .open: [.goAway: .draining, .close: .closed],
        .draining: [.close: .closed],
        .closed: [:],
    ]

    @Test(
        "Each event in each phase leads to the phase of the table",
        arguments: ConnectionState.Phase.allCases)
    func everyTransition(phase: ConnectionState.Phase) throws {
        let path = try #require(Self.paths[phase])
        let transitions = try #require(Self.transitions[phase])
        for event in Event.allCases {
            var state = state(after: path)
            #expect(state.phase == phase)
            apply(event, to: &state)
            #expect(state.phase == transitions[event] ?? phase, "\(phase), \(event)")
        }
    }

    @Test(
        "Only an open connection, and one for the first request, have room",
        arguments: ConnectionState.Phase.allCases)
    func room(phase: ConnectionState.Phase) throws {
        let state = state(after: try #require(Self.paths[phase]))
        let expected: [ConnectionState.Phase: Int] = [.firstRequestAlone: 1, .open: 2]
        #expect(state.room == expected[phase] ?? 0)
    }

    @Test("The first request goes alone until APNs accepts the token") func firstRequest() {
        var state = state(after: [.connected, .settings])
        #expect(state.openStream() == 1)
        #expect(state.openStream() == nil)
        state.received(status: 403)
        #expect(state.room == 0)
        state.closedStream()
        #expect(state.phase == .firstRequestAlone && state.openStream() == 3)
        state.received(status: 400)
        #expect(state.phase == .open && state.room == 2)
    }

    @Test("A lower limit of streams is respected, and a higher one used") func limits() {
        var state = state(after: Self.paths[.open] ?? [])
        state.receivedSettings(streamLimit: 1)
        #expect(state.room == 0)
        state.receivedSettings(streamLimit: 0)
        #expect(state.room == 0)
        state.receivedSettings(streamLimit: nil)
        #expect(state.room == 0)
        state.receivedSettings(streamLimit: Int(UInt32.max))
        #expect(state.room == ConnectionState.defaultStreamLimit - 1)
    }

    @Test("Settings without a limit allow the default number") func noLimit() {
        var state = state(after: [.connected])
        state.receivedSettings(streamLimit: nil)
        #expect(state.streamLimit == ConnectionState.defaultStreamLimit)
    }

    @Test("Many SETTINGS at the start are taken in their order") func manySettings() {
        var state = state(after: [.connected])
        for limit in [1, 1000, 1, 3, 100, 1] { state.receivedSettings(streamLimit: limit) }
        #expect(state.phase == .firstRequestAlone && state.streamLimit == 1 && state.room == 1)
    }

    @Test("A connection that has used all stream numbers drains") func lastStream() {
        var state = state(
            after: [.connected, .settings], firstStream: ConnectionState.lastStream - 2)
        #expect(state.openStream() == ConnectionState.lastStream - 2)
        state.received(status: 200)
        #expect(state.openStream() == ConnectionState.lastStream)
        #expect(state.phase == .draining && state.openStream() == nil && !state.isDrained)
        state.closedStream()
        state.closedStream()
        #expect(state.isDrained)
    }

    @Test("A draining connection is done when its streams have ended") func drained() {
        var state = state(after: Self.paths[.draining] ?? [])
        #expect(!state.isDrained && !state.isUsable)
        state.closedStream()
        #expect(state.isDrained)
    }
}
#endif
