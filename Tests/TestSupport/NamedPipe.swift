internal import Dispatch
internal import Testing

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Named pipes, which block a reader without `O_NONBLOCK`.
package enum NamedPipe {
    /// The time until a writer opens the pipe, so that a blocked test fails and does not hang.
    package static let patience = Duration.seconds(300)

    /// Creates a pipe and returns the duration of a closure.
    package static func waitingTime(_ path: String, _ body: () throws -> Void) rethrows -> Duration
    {
        #expect(unsafe mkfifo(path, 0o600) == 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + 300) { _ = unsafe open(path, O_RDWR) }
        return try ContinuousClock().measure(body)
    }
}
