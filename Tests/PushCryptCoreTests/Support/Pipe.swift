import Dispatch
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Named pipes, which a careless reader would wait at for ever.
enum Pipe {
    /// After how long a writer comes, so that a test that waits for one fails and does not hang.
    static let patience = Duration.seconds(15)

    /// Makes a pipe and measures for how long a step runs.
    static func waitingTime(_ path: String, _ body: () throws -> Void) rethrows -> Duration {
        #expect(unsafe mkfifo(path, 0o600) == 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + 15) { _ = unsafe open(path, O_RDWR) }
        return try ContinuousClock().measure(body)
    }
}
