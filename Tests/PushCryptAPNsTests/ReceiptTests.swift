#if APNs
import Foundation
import PushCryptAPNs
import Testing

@Suite("Receipts of a stand-in for the client") struct ReceiptTests {
    private struct StandIn {
        let id: UUID

        func send(_ push: APNsPush, to deviceToken: String) async throws(APNsError) -> APNsReceipt {
            APNsReceipt(id: id)
        }
    }

    @Test("A receipt with an ID alone is for one attempt that was answered") func defaults()
        async throws
    {
        let id = UUID()
        let receipt = try await StandIn(id: id).send(Fixture.push(), to: Fixture.device)
        #expect(
            receipt.id == id && receipt.uniqueID == nil && receipt.attempts == 1
                && !receipt.mayArriveTwice)
    }

    @Test("A receipt has the facts that a test gives it") func facts() {
        let receipt = APNsReceipt(id: UUID(), uniqueID: "unique", attempts: 3, mayArriveTwice: true)
        #expect(receipt.uniqueID == "unique" && receipt.attempts == 3 && receipt.mayArriveTwice)
    }
}
#endif
