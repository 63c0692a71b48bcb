import Benchmark
import PushCryptReceiver
import PushCryptSender
import RawBoxes

// From the bytes of a payload to those of the sealed payload or back, and libsodium's call on a
// message of the same length.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = configuration
    for length in payloadLengths {
        sealOne(length)
        sealMany(length)
        open(length)
    }
    openFirstOfMany()
    boxBenchmarks()
    attachmentBenchmarks()
}

/// The length of a message without padding: payload and header.
private func messageLength(_ payloadLength: Int) -> Int { payloadLength + 32 }

private func sealer() -> Sealer { Sealer(.anonymous, padding: .none) }

private func sealOne(_ length: Int) {
    Benchmark("seal, 1 recipient, \(length) bytes") { benchmark in
        let raw = Raw(messageLength: messageLength(length))
        guard let recipient = try? RecipientPublicKey(rawRepresentation: raw.publicKey) else {
            return
        }
        let json = payload(length: length)
        let sealer = sealer()
        interleave(
            benchmark, raw: { raw.seal() },
            ours: { blackHole(try? sealer.seal(json: json, for: recipient)) })
    }
}

private func sealMany(_ length: Int) {
    let recipients = 32
    Benchmark("seal, \(recipients) recipients, each, \(length) bytes") { benchmark in
        let raw = Raw(messageLength: messageLength(length))
        guard let recipient = try? RecipientPublicKey(rawRepresentation: raw.publicKey) else {
            return
        }
        let all = [RecipientPublicKey](repeating: recipient, count: recipients)
        let json = payload(length: length)
        let sealer = sealer()
        interleave(
            benchmark, share: recipients, raw: { raw.seal() },
            ours: { blackHole(try? sealer.prepare(json: json).seal(for: all)) })
    }
}

private func open(_ length: Int) {
    Benchmark("open, \(length) bytes") { benchmark in
        let raw = Raw(messageLength: messageLength(length))
        guard let key = try? RecipientPrivateKey(),
            let push = try? sealer().seal(json: payload(length: length), for: key.publicKey)
        else { return }
        let opener = Opener(keys: InMemoryKeyStore([key]), senderPolicy: .anyone)
        let json = push.payload
        interleave(
            benchmark, raw: { raw.open() }, ours: { blackHole(try? opener.open(json: json)) })
    }
}

/// The base is an opener with one account, so 1000 is as fast as one account.
private func openFirstOfMany() {
    Benchmark("open, the first of 100 accounts, one account = 1000") { benchmark in
        guard let keys = try? (0..<100).map({ _ in try RecipientPrivateKey() }),
            let key = keys.first,
            let json = try? sealer().seal(json: payload(length: 1024), for: key.publicKey).payload
        else { return }
        let accounts = keys.enumerated().map { number, key in
            PushAccount("\(number)", keys: InMemoryKeyStore([key]), senderPolicy: .anyone)
        }
        let (one, many) = (Opener(accounts: [accounts[0]]), Opener(accounts: accounts))
        interleave(
            benchmark, raw: { blackHole(try? one.open(json: json)) },
            ours: { blackHole(try? many.open(json: json)) })
    }
}
