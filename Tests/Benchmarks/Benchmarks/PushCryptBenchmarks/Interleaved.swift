import AllocationCounter
import Benchmark

/// The time as a ratio to libsodium's, in thousandths: 1000 is as fast as libsodium.
var ratio: BenchmarkMetric {
    .custom("time, raw libsodium = 1000", polarity: .prefersSmaller, useScalingFactor: false)
}

/// The allocations of one call.
var allocations: BenchmarkMetric {
    .custom("allocations", polarity: .prefersSmaller, useScalingFactor: false)
}

/// The numbers of turns: enough for a stable median, in about a minute for all benchmarks.
var configuration: Benchmark.Configuration {
    Benchmark.Configuration(
        metrics: [ratio, allocations], warmupIterations: 5, maxDuration: .seconds(4),
        maxIterations: 400)
}

/// Measures a step and libsodium's step in turns, so that other load on the machine affects both.
///
/// It compares the medians of the turns, because other processes interrupt some of them.
///
/// - Parameters:
///   - benchmark: the benchmark that is running.
///   - share: the number of libsodium's calls in one call of ours.
///   - raw: libsodium's step.
///   - ours: ours.
func interleave(_ benchmark: Benchmark, share: Int = 1, raw: () -> Void, ours: () -> Void) {
    let clock = ContinuousClock()
    var rawTimes: [Duration] = []
    var ourTimes: [Duration] = []
    let turns = share == 1 ? 63 : 9
    rawTimes.reserveCapacity(turns)
    ourTimes.reserveCapacity(turns)
    let before = allocation_count()
    for _ in 0..<turns {
        let start = clock.now
        for _ in 0..<share { raw() }
        let middle = clock.now
        ours()
        let end = clock.now
        rawTimes.append(middle - start)
        ourTimes.append(end - middle)
    }
    let count = allocation_count() - before
    rawTimes.sort()
    ourTimes.sort()
    benchmark.measurement(ratio, Int((ourTimes[turns / 2] / rawTimes[turns / 2] * 1000).rounded()))
    benchmark.measurement(allocations, Int((Double(count) / Double(turns * share)).rounded(.up)))
}
