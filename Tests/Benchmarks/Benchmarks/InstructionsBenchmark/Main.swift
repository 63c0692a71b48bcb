import AllocationCounter
import PushCryptSender
import RawBoxes

/// Calls each function some times between two marks, so that callgrind counts its instructions.
///
/// `Tests/Benchmarks/run instructions` runs it under valgrind. With `--allocations`, it prints
/// allocations instead.
@main struct Main {
    static let calls = 16
    static let lengths = [256, 1024, 2800]

    static func main() throws {
        let countsAllocations = CommandLine.arguments.contains("--allocations")
        Machine.fixRandomBytes()
        print("libsodium \(Machine.version)")
        print("features \(Machine.features.joined(separator: "+"))")
        let steps = try lengths.map { try Steps(length: $0) }
        // The handlers come last, because their threads change how memory is laid out for what
        // follows.
        for each in steps {
            for (name, step) in try each.calls() {
                count(name, each.length, calls, countsAllocations, step)
            }
        }
        for each in steps {
            for (name, step) in try each.handlers() {
                count(name, each.length, 4 * calls, countsAllocations, step)
            }
        }
    }

    private static func count(
        _ name: String, _ length: Int, _ calls: Int, _ countsAllocations: Bool, _ step: () -> Void
    ) {
        for _ in 0..<Main.calls { step() }
        let before = allocation_count()
        instructions_mark()
        for _ in 0..<calls { step() }
        instructions_mark()
        let allocations = Int(allocation_count() - before) / calls
        print(name, length, countsAllocations ? allocations : calls)
    }
}
