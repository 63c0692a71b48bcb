import Foundation
import Hummingbird

/// The bearer tokens that the server accepts.
struct Access: Sendable {
    let settings: Settings

    /// Returns the user who sent a request.
    func user(_ request: Request) throws -> String {
        let token = bearer(request)
        // It looks at all tokens, so that the time doesn't tell which one is similar.
        let users = settings.userTokens.filter { Self.isEqual($0.value, token) }
        guard let user = users.first else { throw HTTPError(.unauthorized) }
        return user.key
    }

    /// Returns the address that the proxy in front of the server names; empty without a proxy.
    func address(_ request: Request) -> String {
        // A client can write the others itself.
        let header = request.headers.last { $0.name.canonicalName == "x-forwarded-for" }
        let last = header?.value.split(separator: ",").last.map(String.init) ?? ""
        return last.trimmingCharacters(in: CharacterSet.whitespaces)
    }

    func isOperator(_ request: Request) -> Bool {
        Self.isEqual(settings.operatorToken, bearer(request))
    }

    func requireOperator(_ request: Request) throws {
        guard isOperator(request) else { throw HTTPError(.unauthorized) }
    }

    private func bearer(_ request: Request) -> String {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
            return ""
        }
        return String(header.dropFirst(7))
    }

    /// Returns whether two tokens are the same and not empty, in a time that depends on their
    /// lengths only.
    private static func isEqual(_ known: String, _ given: String) -> Bool {
        guard known.utf8.count == given.utf8.count, !known.isEmpty else { return false }
        return zip(known.utf8, given.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
