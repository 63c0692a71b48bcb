import Dispatch
import Foundation
import PushCryptSender

// Seals a push for 100,000 devices: with one signing key, and with a keyring of which half of the
// devices accept only the retired key. The two take turns. Prints the median of the ratios of
// neighboring rounds, and their quartiles.
@main
enum SignersBenchmark {
    private struct Device: SealTarget {
        let key: RecipientPublicKey
        let lifetime: TimeInterval = 604_800
        let signers: AcceptedSigners?
    }

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let count = arguments.first ?? 100_000
        let rounds = arguments.dropFirst().first ?? 11
        var keyring = try Keyring<SigningKey>(createdAt: Date())
        let old = keyring.primary.key
        try keyring.rotate(at: Date())
        let new = keyring.primary.key
        let keys = try (0..<1000).map { _ in try RecipientPrivateKey().publicKey }
        let both = try AcceptedSigners(kids: [old, new].map(\.publicKey.kid))
        let oldAlone = try AcceptedSigners(kids: [old.publicKey.kid])
        let unaware = (0..<count).map { Device(key: keys[$0 % keys.count], signers: nil) }
        let mixed = (0..<count).map {
            Device(key: keys[$0 % keys.count], signers: $0 % 2 == 0 ? both : oldAlone)
        }
        let json = #"{"aps":{"alert":"\#(String(repeating: "x", count: 1003))"}}"#
        let one = try Sealer(.signed(by: new)).prepare(json: json)
        let several = try Sealer(.signed(by: keyring)).prepare(json: json)

        var ratios: [Double] = []
        for round in 0...rounds {
            let first = try seconds {
                for device in unaware { keep(try one.seal(for: device).payload.count) }
            }
            let second = try seconds {
                for device in mixed { keep(try several.seal(for: device).payload.count) }
            }
            // The first round warms up.
            if round > 0 { ratios.append(second / first) }
        }
        ratios.sort()
        let quartiles = [ratios.count / 4, ratios.count / 2, 3 * ratios.count / 4].map {
            String(format: "%.4f", ratios[$0])
        }
        print("time with two keys over one key, \(count) devices, quartiles of \(rounds) rounds:")
        print(quartiles.joined(separator: " "))
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    @inline(never) private static func keep(_ value: Int) {}
}
