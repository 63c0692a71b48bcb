#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

/// The results that a client reports, beside the record of the server.
struct Comparison {
    private(set) var receipts: [APNsReceipt] = []
    private(set) var failures: [APNsError] = []
    private let record: Record

    init(_ results: [Result<APNsReceipt, APNsError>], _ record: Record) {
        self.record = record
        for result in results {
            switch result {
            case .success(let receipt): receipts.append(receipt)
            case .failure(let error): failures.append(error)
            }
        }
    }

    private func accepted(_ id: UUID) -> Int { record.tallies[id]?.accepted ?? 0 }

    /// The pushes that the client reports as accepted, and the server hasn't.
    var lost: [UUID] { receipts.map(\.id).filter { accepted($0) == 0 } }

    /// The pushes that the server has accepted, and of which the client says that this can't be.
    var misreported: [APNsError] { failures.filter { accepted($0.id) > 0 && !$0.mayBeAccepted } }

    /// The pushes that the server has accepted twice, although the client says that this can't be.
    var hiddenDoubles: [UUID] {
        receipts.filter { accepted($0.id) > 1 && !$0.mayArriveTwice }.map(\.id)
    }

    /// The violations of the client, but repetitions of pushes whose answer was lost.
    var violations: [String: Int] { record.violations.filter { $0.key != "sent-after-200" } }

    /// Checks that the client reports nothing that the server's record contradicts.
    func expectAgreement(
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(lost.isEmpty, comment, sourceLocation: sourceLocation)
        #expect(misreported.isEmpty, comment, sourceLocation: sourceLocation)
        #expect(hiddenDoubles.isEmpty, comment, sourceLocation: sourceLocation)
        #expect(violations.isEmpty, comment, sourceLocation: sourceLocation)
    }

    /// Checks that all pushes were accepted, each in its first attempt that counts, and none twice.
    func expectNoCost(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation)
    {
        expectAgreement(comment, sourceLocation: sourceLocation)
        #expect(failures.isEmpty, comment, sourceLocation: sourceLocation)
        let counted = receipts.filter { $0.attempts != 1 }
        let uncertain = receipts.filter(\.mayArriveTwice)
        #expect(counted.isEmpty, comment, sourceLocation: sourceLocation)
        #expect(uncertain.isEmpty, comment, sourceLocation: sourceLocation)
        #expect(record.repeated.isEmpty, comment, sourceLocation: sourceLocation)
    }

    /// Checks that all pushes were accepted, in any number of attempts.
    func expectDelivery(
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectAgreement(comment, sourceLocation: sourceLocation)
        #expect(failures.isEmpty, comment, sourceLocation: sourceLocation)
    }
}

extension Fixture {
    /// Returns the comparison of results with the record of the server, as it is now.
    func compare(_ results: [Result<APNsReceipt, APNsError>]) -> Comparison {
        Comparison(results, server.record)
    }

    /// Sends one push.
    func result(to device: String = device) async -> Result<APNsReceipt, APNsError> {
        do throws(APNsError) {
            return .success(try await client.send(Self.push(), to: device))
        } catch {
            return .failure(error)
        }
    }

    /// Waits until the record of the server has something, which without this limit could be for
    /// ever.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until condition: (Record) -> Bool
    ) async throws {
        let start = Date()
        while !condition(server.record) {
            try #require(Date().timeIntervalSince(start) < 120, sourceLocation: sourceLocation)
            try await Task.sleep(nanoseconds: 5_000_000)
        }
    }
}
#endif
