import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// The language-neutral vectors of carriers, from another implementation
/// (`Tests/Vectors/generate.py`).
@Suite struct CarrierVectorTests {
    @Test(
        "The shared vectors of requests are reproduced",
        arguments: try CarrierCorpus.load().requests)
    func request(_ vector: CarrierCorpus.Request) throws {
        let push = SealedPush(
            payload: Array(vector.payload.utf8), headers: try Self.headers(vector.apnsHeaders),
            carrier: Carrier(rawValue: vector.carrier), issuedAt: vector.issuedAt)
        do throws(PushCryptError) {
            let request = try push.request(to: vector.token, appID: vector.appID)
            #expect(vector.fails == nil, "It is accepted.")
            #expect(String(decoding: request.body, as: UTF8.self) == vector.body)
            #expect(request.headers == vector.headers)
            #expect(Array(request.data) == request.body)
        } catch {
            #expect(error.code.rawValue == vector.fails, "\(error)")
        }
    }

    @Test(
        "The shared vectors of the longest messages are reproduced",
        arguments: try CarrierCorpus.load().limits)
    func limit(_ vector: CarrierCorpus.Limit) throws {
        let carrier = Carrier(rawValue: vector.carrier)
        let type = try #require(PushType(rawValue: vector.type))
        let profile = CarrierProfile(carrier)
        #expect(profile.types.contains(type) == (vector.fails == nil))
        guard let longest = vector.longest else { return }
        let room = profile.room(beside: vector.frame, type)
        #expect(max(MessageLayout.capacity(room), 0) == max(longest, 0))
    }

    private static func headers(_ fields: [String: String]) throws -> APNsHeaders {
        var headers = APNsHeaders(
            try #require(PushType(rawValue: fields["apns-push-type"] ?? "")),
            priority: fields["apns-priority"].flatMap(Int.init).flatMap(
                APNsHeaders.Priority.init(rawValue:)),
            collapseID: fields["apns-collapse-id"], topic: fields["apns-topic"],
            id: fields["apns-id"].flatMap(UUID.init(uuidString:)))
        if let expiration = fields["apns-expiration"].flatMap(Double.init) {
            headers.expiration =
                expiration == 0 ? .once : .at(Date(timeIntervalSince1970: expiration))
        }
        return headers
    }
}
