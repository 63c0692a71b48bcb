import Foundation
import Testing

@testable import PushCryptSystem

struct UUIDRandomTests {
    @Test("Random bits are kept, but for the version and the variant") func bits() {
        #expect(UUID(first: 0, second: 0).uuidString == "00000000-0000-4000-8000-000000000000")
        #expect(UUID(first: .max, second: .max).uuidString == "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF")
        let mixed = UUID(first: 0x0123_4567_89AB_CDEF, second: 0x0123_4567_89AB_CDEF)
        #expect(mixed.uuidString == "01234567-89AB-4DEF-8123-456789ABCDEF")
    }

    @Test("Random ones differ") func randomOnesDiffer() {
        #expect(Set((0..<1000).map { _ in UUID.random() }).count == 1000)
    }
}
