import TestSupport
import Testing

/// All orders of the steps of an inbox's threads, for one request and for two overlapping ones,
/// with an expiry.
///
/// The exact numbers prove that the search is complete.
@Suite(.thorough) struct DeliveryExplorationTests {
    @Test("One request is correct in each order") func oneRequestIsCorrectInEachOrder() throws {
        let plain = try Explorer(DeliveryWorld(requests: 1, hasCustomization: false))
        #expect(plain.states == 778)
        #expect(plain.orders == 12_306)
        let customized = try Explorer(DeliveryWorld(requests: 1, hasCustomization: true))
        #expect(customized.states == 1_789)
        #expect(customized.steps == 4_307)
        #expect(customized.orders == 67_622)
    }

    @Test("One request with a download is correct in each order")
    func oneDownloadIsCorrectInEachOrder() throws {
        let explorer = try Explorer(
            DeliveryWorld(requests: 1, hasDownload: true, hasCustomization: true))
        #expect(explorer.states == 2_387)
        #expect(explorer.steps == 6_083)
        #expect(explorer.orders == 594_730)
    }

    @Test("One request whose decision is put off twice is correct in each order")
    func oneRequestIsPutOff() throws {
        let plain = try Explorer(DeliveryWorld(requests: 1, hasCustomization: false, putOffs: 2))
        #expect(plain.states == 1_459)
        #expect(plain.orders == 35_691)
        let customized = try Explorer(
            DeliveryWorld(requests: 1, hasCustomization: true, putOffs: 2))
        #expect(customized.states == 5_569)
        #expect(customized.orders == 337_796)
    }

    /// The pushes have one identifier, and the first one's message is the older.
    @Test("An older text never replaces a newer one, in each order of two decisions")
    func olderTextNeverReplacesANewerOne() throws {
        let explorer = try Explorer(
            DeliveryWorld(requests: 2, hasCustomization: false, hasExpiry: false, sharesPlace: true)
        )
        #expect(explorer.states == 15_852)
        #expect(explorer.steps == 39_359)
        #expect(explorer.orders == 35_885_965)
    }

    @Test(
        "An older text never replaces a newer one after a customization or at an expiry", .longRun)
    func olderTextNeverReplacesANewerOneAtTheExpiry() throws {
        let expiring = try Explorer(
            DeliveryWorld(requests: 2, hasCustomization: false, sharesPlace: true))
        #expect(expiring.states == 401_335)
        let customized = try Explorer(
            DeliveryWorld(requests: 2, hasCustomization: true, hasExpiry: false, sharesPlace: true))
        #expect(customized.states == 276_902)
    }

    @Test("Two overlapping requests are correct in each order", .longRun)
    func twoOverlappingRequestsAreCorrectInEachOrder() throws {
        let plain = try Explorer(DeliveryWorld(requests: 2, hasCustomization: false))
        #expect(plain.states == 227_095)
    }

    @Test("Two overlapping customizations are correct in each order", .longRun)
    func twoOverlappingCustomizationsAreCorrectInEachOrder() throws {
        let customized = try Explorer(DeliveryWorld(requests: 2, hasCustomization: true))
        #expect(customized.states == 1_257_865)
        #expect(customized.steps == 5_311_968)
        #expect(customized.orders == 87_227_625_778_762)
    }

    /// The expiry adds orders of the same kinds as with customizations: 2,291,992 states, without a
    /// failure.
    @Test("Two overlapping downloads are correct in each order", .longRun)
    func twoOverlappingDownloadsAreCorrectInEachOrder() throws {
        let explorer = try Explorer(
            DeliveryWorld(requests: 2, hasDownload: true, hasCustomization: true, hasExpiry: false))
        #expect(explorer.states == 85_805)
        #expect(explorer.steps == 287_152)
        #expect(explorer.orders == 464_240_750_974)
    }

    @Test("The explorer finds the one order that fails") func explorerFindsTheOneOrderThatFails()
        throws
    {
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
