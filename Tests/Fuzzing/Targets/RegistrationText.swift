import Foundation

@testable import PushCryptCore
@testable import PushCryptKeyring
@testable import PushCryptSender

/// Invariants of registrations, of requests with them, and of a server's rows.
///
/// - An accepted registration's JSON is accepted, is the same registration, and is written as the
///   same bytes.
/// - So is a request's, and its proof has 32 bytes.
/// - An accepted row is encoded as JSON that is accepted, and is the same row with at most 64
///   former keys of a size.
enum RegistrationText {
    static func check(_ input: [UInt8]) {
        if let registration = accepted({ () throws(PushCryptError) in
            try Registration(parsing: input)
        }) {
            let again = try? Registration(parsing: registration.json)
            require(again == registration, "a registration is the one of its JSON")
            require(again?.json == registration.json, "a registration is written as the same bytes")
            require(
                (1...2_592_000).contains(registration.lifetime), "a lifetime is 1 second to 30 days"
            )
            require(
                (1...JSONDocument.maximumInteger).contains(registration.generation),
                "a generation is in range")
            require(
                (1...64).contains(registration.signers?.kids.count ?? 1),
                "a device accepts 1 to 64 keys")
        }
        checkRequest(input)
        checkRow(input)
    }

    private static func checkRequest(_ input: [UInt8]) {
        guard
            let request = accepted({ () throws(PushCryptError) in
                try RegistrationRequest(parsing: input)
            })
        else { return }
        let again = try? RegistrationRequest(parsing: request.json)
        require(again == request && again?.json == request.json, "a request is the one of its JSON")
        require(request.proof?.bytes.count ?? 32 == 32, "a proof has 32 bytes")
        require(!contains(marker, Array("\(request)".utf8)), "a description has no content")
    }

    private static func checkRow(_ input: [UInt8]) {
        // Most inputs aren't rows, and Foundation's decoder is slow.
        guard
            (try? JSONDocument(scanning: input.span))?.member("registered", in: input.span) != nil,
            let row = try? JSONDecoder().decode(Recipient.self, from: Data(input))
        else { return }
        let encoded = try? JSONEncoder().encode(row)
        require(
            (encoded != nil) == (row.unknownMember == nil),
            "a row is encoded if no newer version has written it")
        guard encoded != nil else { return }
        let again = encoded.flatMap { try? JSONDecoder().decode(Recipient.self, from: $0) }
        require(again != nil, "an encoded row is accepted")
        guard let again else { return }
        // A time has more digits in JSON than in a date.
        require(
            again.registration == row.registration && again.deviceToken == row.deviceToken
                && again.account.utf8.elementsEqual(row.account.utf8)
                && again.carrier == row.carrier,
            "a row is the one of its JSON")
        require(
            again.registered == row.registered && again.proved == row.proved
                && again.formerKeys == row.formerKeys,
            "the times of a row are the ones of its JSON")
    }
}
