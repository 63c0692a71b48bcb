internal import Dispatch
internal import Testing

#if canImport(Darwin)
package import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
package import Musl
#endif

/// Named pipes, which a careless reader would wait at for ever.
package enum Pipe {
    /// After how long a writer comes, so that a test that waits for one fails and does not hang.
    package static let patience = Duration.seconds(15)

    /// Makes a pipe and measures for how long a step runs.
    package static func waitingTime(_ path: String, _ body: () throws -> Void) rethrows -> Duration {
        #expect(unsafe mkfifo(path, 0o600) == 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + 15) { _ = unsafe open(path, O_RDWR) }
        return try ContinuousClock().measure(body)
    }
}
