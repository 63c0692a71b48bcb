import AllocationCounter
import Benchmark

/// Our time as a share of libsodium's, in thousandths: 1000 is as fast as libsodium itself.
var ratio: BenchmarkMetric {
    .custom("time, raw libsodium = 1000", polarity: .prefersSmaller, useScalingFactor: false)
}

/// Allocations of one call.
var allocations: BenchmarkMetric { .custom("allocations", polarity: .prefersSmaller, useScalingFactor: false) }

/// Few enough turns to take a minute in all, enough of them for a steady median.
var configuration: Benchmark.Configuration {
    Benchmark.Configuration(
        metrics: [ratio, allocations], warmupIterations: 5, maxDuration: .seconds(4), maxIterations: 400)
}

/// Measures a step against libsodium's, turn and turn about, so that whatever else the machine does hits both alike.
///
/// The medians of the turns are compared: a turn that another process has interrupted says nothing.
///
/// - Parameters:
///   - benchmark: the benchmark that is running.
///   - share: how many calls of libsodium one call of ours is worth.
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
