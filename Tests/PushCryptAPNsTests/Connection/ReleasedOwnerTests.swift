#if APNs
import NIOCore
import NIOEmbedded
import Testing

@testable import PushCryptAPNs

/// A client that is released without a shutdown leaves a connection whose peer reads slowly.
@Suite("Connections whose owner is gone") struct ReleasedOwnerTests {
    private final class Owner: ConnectionOwner {
        var changes = 0
        func ended(_ request: PushRequest, _ fate: Fate) {}
        func ended(_ connection: Connection, _ problem: ConnectionProblem) {}
        func changed(_ connection: Connection) { changes += 1 }
    }

    @Test("Events of the channel reach an owner, and do no harm without one") func events() throws {
        let channel = EmbeddedChannel()
        let owner = Owner()
        var other: Owner? = Owner()
        let patience = Patience(seconds: 1, idle: 1)
        let connection = Connection(owner, on: channel.embeddedEventLoop, patience)
        let released = Connection(
            try #require(other), on: channel.embeddedEventLoop, patience)
        try channel.pipeline.syncOperations.addHandler(connection)
        other = nil
        #expect(released.owner == nil && connection.owner != nil)
        let second = EmbeddedChannel(handler: released)
        for channel in [channel, second] {
            channel.pipeline.fireChannelWritabilityChanged()
            channel.pipeline.fireChannelReadComplete()
            channel.pipeline.fireErrorCaught(ChannelError.ioOnClosedChannel)
            channel.pipeline.fireChannelWritabilityChanged()
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
        #expect(owner.changes > 0)
    }
}
#endif
