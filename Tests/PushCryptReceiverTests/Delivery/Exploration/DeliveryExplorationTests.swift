import TestSupport
import Testing

/// All orders of the steps of a handler's threads, for one request and for two overlapping ones, with an expiry.
///
/// The exact numbers prove that the search is complete.
@Suite(.thorough) struct DeliveryExplorationTests {
    @Test("One request is correct in each order") func oneRequestIsCorrectInEachOrder() throws {
        let plain = try Explorer(DeliveryWorld(requests: 1, hasCustomization: false))
        #expect(plain.states == 446)
        #expect(plain.orders == 6_804)
        let customized = try Explorer(DeliveryWorld(requests: 1, hasCustomization: true))
        #expect(customized.states == 770)
        #expect(customized.steps == 2_271)
        #expect(customized.orders == 37_060)
    }

    @Test("One request with a download is correct in each order") func oneDownloadIsCorrectInEachOrder() throws {
        let explorer = try Explorer(DeliveryWorld(requests: 1, hasDownload: true, hasCustomization: true))
        #expect(explorer.states == 1_052)
        #expect(explorer.steps == 3_345)
        #expect(explorer.orders == 318_276)
    }

    @Test("Two overlapping requests are correct in each order", .longRun)
    func twoOverlappingRequestsAreCorrectInEachOrder() throws {
        let plain = try Explorer(DeliveryWorld(requests: 2, hasCustomization: false))
        #expect(plain.states == 62_132)
    }

    @Test("Two overlapping customizations are correct in each order", .longRun)
    func twoOverlappingCustomizationsAreCorrectInEachOrder() throws {
        let customized = try Explorer(DeliveryWorld(requests: 2, hasCustomization: true))
        #expect(customized.states == 186_486)
        #expect(customized.steps == 994_132)
        #expect(customized.orders == 7_482_787_155_384)
    }

    @Test("Two overlapping downloads are correct in each order", .longRun)
    func twoOverlappingDownloadsAreCorrectInEachOrder() throws {
        let explorer = try Explorer(DeliveryWorld(requests: 2, hasDownload: true, hasCustomization: true))
        #expect(explorer.states == 349_588)
        #expect(explorer.steps == 2_025_919)
        #expect(explorer.orders == 2_992_678_281_007_656)
    }

    @Test("The explorer finds the one order that fails") func explorerFindsTheOneOrderThatFails() throws {
        #expect(throws: Counters.Wrong.self) { try Explorer(Counters(limit: 3, wrong: [2, 1])) }
        let fine = try Explorer(Counters(limit: 3, wrong: [9, 9]))
        #expect(fine.states == 16)
        #expect(fine.orders == 20, "6 steps, 3 of each kind")
    }

    /// Two counters up to a limit, and a forbidden state.
    private struct Counters: ExploredWorld {
        struct Wrong: Error {}

        var values = [0, 0]
        let limit: Int
        let wrong: [Int]

        init(limit: Int, wrong: [Int]) {
            self.limit = limit
            self.wrong = wrong
        }

        var steps: [Int] { [0, 1].filter { values[$0] < limit } }

        mutating func take(_ step: Int) { values[step] += 1 }

        func check() throws { if values == wrong { throw Wrong() } }

        func checkEnd() throws {}
    }
}
