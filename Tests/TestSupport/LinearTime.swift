internal import Foundation
package import Testing

/// Expects that work on 16 times the input takes less than 64 times the CPU time.
///
/// Quadratic work takes up to 256 times as much. The time of the thread doesn't depend on the load
/// of the machine.
///
/// - Parameters:
///   - size: the size of the small input.
///   - sourceLocation: the location of the test.
///   - work: a function that works on an input of a size.
package func expectLinearTime(
    _ size: Int, sourceLocation: SourceLocation = #_sourceLocation, _ work: (_ size: Int) -> Void
) {
    func time(_ size: Int) -> Double {
        let start = threadTime()
        work(size)
        return threadTime() - start
    }
    // The first run also prepares tables and memory.
    let small = (0..<4).map { _ in time(size) }.min() ?? 0
    // Some virtual machines have a clock with steps of 10 ms.
    let limit = max(64 * small, 0.1)
    var large = time(16 * size)
    if large >= limit { large = time(16 * size) }
    #expect(large < limit, "\(small) s for the small input", sourceLocation: sourceLocation)
}

/// Returns the CPU time of the calling thread, in seconds.
private func threadTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
