import Testing

@testable import PushCryptCore

@Suite struct MessageIDPoolTests {
    @Test(arguments: [-1, 0, 1, 2, 63, 64, 65, 1000])
    func givesNoIdTwice(recipients: Int) throws {
        var pool = MessageIDPool(recipients: recipients)
        var ids: Set<[UInt8]> = []
        for _ in 0..<300 {
            var buffer = [UInt8](repeating: 7, count: 18)
            try pool.writeNext(to: &buffer, at: 1)
            #expect(buffer.first == 7 && buffer.last == 7)
            ids.insert(buffer)
        }
        #expect(ids.count == 300)
    }
}
