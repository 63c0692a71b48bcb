import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@Suite struct LockedValueTests {
    @Test("No change of many threads is lost") func noStepIsLostAmongManyThreads() {
        let value = LockedValue(0)
        onThreads(20) { _ in
            for _ in 0..<1_000 { value.withLock { $0 += 1 } }
        }
        #expect(value.withLock { $0 } == 20_000)
    }

    @Test("Only one closure runs at a time") func everyStepRunsAlone() {
        let value = LockedValue((inside: 0, most: 0))
        onThreads(32) { _ in
            for _ in 0..<100 {
                value.withLock { state in
                    state.inside += 1
                    state.most = max(state.most, state.inside)
                    state.inside -= 1
                }
            }
        }
        #expect(value.withLock { $0.most } == 1)
    }

    @Test("Tasks can use a locked value") func tasksMayUseIt() async {
        let value = LockedValue<Set<Int>>([])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { value.withLock { _ = $0.insert(number) } }
            }
        }
        #expect(value.withLock { $0 } == Set(0..<200))
    }

    @Test("The error of a closure is thrown and the value is kept")
    func passesOnWhatAStepThrowsAndKeepsTheValue()
        throws
    {
        let value = LockedValue([1])
        let code = errorCode {
            try value.withLock { (list) throws(PushCryptError) in
                list.append(2)
                throw PushCryptError(.replayed, "Seen.")
            }
        }
        #expect(code == .replayed)
        #expect(value.withLock { $0 } == [1, 2])
    }
}
