import Foundation
import Testing

@testable import PushCryptSystem

struct UUIDRandomTests {
    @Test("Random bits are kept, but for the version and the variant") func bits() {
        #expect(UUID(first: 0, second: 0).uuidString == "00000000-0000-4000-8000-000000000000")
        #expect(
            UUID(first: .max, second: .max).uuidString == "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF")
        let mixed = UUID(first: 0x0123_4567_89AB_CDEF, second: 0x0123_4567_89AB_CDEF)
        #expect(mixed.uuidString == "01234567-89AB-4DEF-8123-456789ABCDEF")
        let bytes = UUID(first: 0x0001_0203_0405_4607, second: 0x8809_0A0B_0C0D_0E0F).uuid
        #expect([bytes.0, bytes.1, bytes.7, bytes.8, bytes.9, bytes.15] == [0, 1, 7, 0x88, 9, 15])
    }

    @Test("Random ones differ") func randomOnesDiffer() {
        #expect(Set((0..<1000).map { _ in UUID.random() }).count == 1000)
    }
}
