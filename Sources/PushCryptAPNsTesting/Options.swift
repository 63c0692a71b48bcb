#if APNs
package import Foundation

extension TestAPNsServer {
    /// Settings of a server.
    package struct Options: Sendable {
        /// The port, or 0 for any.
        package var port = 0
        /// The keys whose provider tokens are accepted.
        package var keys = [ProviderKey.first, .second]
        /// The bundle id of the app, which is the topic of alerts.
        package var topic = "com.example.app"
        /// The number of concurrent streams of a connection, once it has presented a valid provider
        /// token.
        package var concurrentStreams: UInt32 = 1000
        /// The number of frames that tell a client about these streams.
        package var settingsFrames = 1
        /// The protocols that the server offers in TLS: HTTP/2, as APNs.
        package var protocols = ["h2"]
        /// The number of first connections that get no frame, not even settings.
        package var muteConnections = 0
        /// The first frames of a connection, instead of settings that allow one stream.
        ///
        /// Its settings alone limit the streams, also after a valid provider token.
        package var opening: [Step]?
        /// The number of first connections with this opening.
        package var openedConnections = Int.max
        /// The end of first connections.
        package var interruption: Interruption?
        /// The number of bytes that are written at once; `nil` for any.
        package var pieces: Int?
        /// The growth of a stream's window for its request, and after each part of it; `nil` if its
        /// window is enough.
        package var streamWindow: UInt32?
        /// The number of bytes of requests after which the connection's window grows again.
        package var connectionWindow = 1
        /// The seconds for which a provider token is valid.
        package var tokenLifetime: TimeInterval = 60 * 60
        /// The seconds that must pass between two provider tokens of a team.
        package var tokenInterval: TimeInterval = 20 * 60
        /// A Boolean value that indicates whether accepted pushes are kept, or counted only.
        package var keepsPushes = true

        /// Creates the settings of Apple's servers.
        package init() {}
    }
}
#endif
