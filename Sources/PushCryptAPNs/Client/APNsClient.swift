#if APNs
public import Logging
internal import NIOPosix
public import PushCryptFoundation
public import PushCryptSender
internal import PushCryptSystem

/// A client of APNs for one team
/// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
///
/// It keeps a few connections open, shares one provider token, and sends a push again if APNs can't
/// take it now. Requests are sent again after 1, 2, 4 and 8 seconds, under the same `apns-id`. If
/// an answer got lost, APNs may then deliver a push twice, and ``APNsReceipt/mayArriveTwice`` says
/// so. The receiver displays a sealed one once.
///
/// ```swift
/// func send(_ push: SealedPush, to device: String, p8: String) async throws {
///     let apns = try APNsClient(
///         .token(p8: p8, keyID: "ABC123DEFG", teamID: "DEF123GHIJ"), environment: .production)
///     let receipt = try await apns.send(push, to: device)
///     print(receipt.id)
///     await apns.shutDown()
/// }
/// ```
public final class APNsClient: Sendable {
    private let authentication: APNsAuthentication
    private let sealedOnly: Bool
    private let mailbox: Mailbox
    let proofs: ProofRequirement

    /// Creates a client, which connects when it sends.
    ///
    /// - Parameters:
    ///   - authentication: The credentials, which all clients of a team share.
    ///   - environment: The server of APNs.
    ///   - sealedOnly: A Boolean value that indicates whether the client rejects pushes that aren't
    ///     sealed.
    ///   - proofs: The requirement for recipients, such as `ProofOfPossession.requirement`. It
    ///     doesn't concern pushes to a device token, such as challenges.
    ///   - connections: The maximum number of connections, from 1 to 100. The client opens another
    ///     one if no stream is free.
    ///   - timeout: The seconds that one attempt may take, more than 0.
    ///   - pause: The seconds before the second attempt. They double with each attempt, and up to
    ///     half is left out at random.
    ///   - logger: The logger, which gets neither content nor device tokens.
    /// - Throws: `PushCryptError` with `invalidConfiguration`.
    public convenience init(
        _ authentication: APNsAuthentication, environment: APNsEnvironment = .production,
        sealedOnly: Bool = true,
        proofs: ProofRequirement = .notRequired, connections: Int = 2, timeout: TimeInterval = 30,
        pause: TimeInterval = 1, logger: Logger = Logger(label: "pushcrypt.apns")
    ) throws(PushCryptError) {
        try self.init(
            authentication, environment: environment, sealedOnly: sealedOnly, proofs: proofs,
            connections: connections, timeout: timeout, pause: pause, idle: 60, logger: logger)
    }

    /// Creates a client with another idle period: the seconds without a frame after which PING
    /// precedes a request.
    package init(
        _ authentication: APNsAuthentication, environment: APNsEnvironment = .production,
        sealedOnly: Bool = true,
        proofs: ProofRequirement = .notRequired, connections: Int = 2, timeout: TimeInterval = 30,
        pause: TimeInterval = 1, idle: TimeInterval,
        logger: Logger = Logger(label: "pushcrypt.apns")
    ) throws(PushCryptError) {
        guard (1...100).contains(connections), timeout > 0, timeout < 1e6, pause >= 0, pause < 1e6,
            (1...65535).contains(environment.port)
        else {
            throw PushCryptError(
                .invalidConfiguration, "The connections, times or port aren't valid. Correct them.")
        }
        self.authentication = authentication
        self.sealedOnly = sealedOnly
        self.proofs = proofs
        let settings = Deliveries.Settings(
            authentication: authentication, environment: environment, connections: connections,
            patience: Patience(seconds: timeout, idle: idle), pause: pause,
            observer: Observer(logger))
        // One event loop, because a second one costs more for its wake-ups than it brings.
        mailbox = Mailbox(settings, on: MultiThreadedEventLoopGroup.singleton.next())
    }

    deinit { mailbox.post(.shutDown {}) }

    /// Sends a sealed push to a device.
    ///
    /// - Parameters:
    ///   - push: The push, with a topic in its headers.
    ///   - deviceToken: The device token in hexadecimal.
    /// - Returns: The receipt.
    /// - Throws: ``APNsError``
    public func send(_ push: SealedPush, to deviceToken: String) async throws(APNsError)
        -> APNsReceipt
    {
        try await send(APNsPush(push), to: deviceToken)
    }

    /// Sends any push to a device; one that isn't sealed only if the client was created with
    /// `sealedOnly: false`.
    ///
    /// - Throws: ``APNsError``
    public func send(_ push: APNsPush, to deviceToken: String) async throws(APNsError)
        -> APNsReceipt
    {
        try await PendingSend(self).result(push, to: deviceToken).get()
    }

    /// Sends pushes, and returns their results in the same order.
    ///
    /// ```swift
    /// func send(_ pushes: [(push: APNsPush, device: String)]) async {
    ///     for await result in apns.send(pushes) {
    ///         if case .failure(let error) = result { print(error) }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - pushes: The pushes with their device tokens. They are read while results are awaited.
    ///   - limit: The number of pushes that are sent at the same time, at least 1.
    /// - Returns: A result for each push. The end of its iteration cancels what is being sent.
    public func send<Pushes: Sequence>(
        _ pushes: sending Pushes, concurrently limit: Int = 500
    ) -> AsyncStream<Result<APNsReceipt, APNsError>>
    where Pushes.Element == (push: APNsPush, device: String), Pushes.Iterator: SendableMetatype {
        let window = SendingWindow(self, pushes.makeIterator(), limit: max(limit, 1))
        return AsyncStream { await window.next() }
    }

    /// Checks the connection and the credentials, for the health check of a server.
    ///
    /// No device gets a push: the request is to a device token that doesn't exist, which APNs
    /// rejects after it has checked the credentials.
    ///
    /// - Parameter topic: The app's bundle ID.
    /// - Throws: ``APNsError``
    public func check(topic: String) async throws(APNsError) {
        var push = APNsPush(payload: Array(#"{"aps":{}}"#.utf8), headers: APNsHeaders(topic: topic))
        push.isSealed = true
        do {
            _ = try await send(push, to: String(repeating: "0", count: 64))
        } catch {
            guard error.apnsReason != .badDeviceToken, error.status != 410 else { return }
            throw error
        }
    }

    /// Ends the pushes that are being sent, and closes the connections.
    ///
    /// Call it before the process ends, and when no push is being sent. It waits for at most 5
    /// seconds, because a server may never close its side.
    public func shutDown() async {
        await withCheckedContinuation { continuation in
            mailbox.post(.shutDown { continuation.resume() })
        }
    }

    private func check(_ push: APNsPush, _ deviceToken: String) throws(PushCryptError) {
        guard push.isSealed || !sealedOnly else {
            let reason =
                """
                The push isn't sealed. Seal it, or allow others with 'sealedOnly: false' \
                ('--unsealed').
                """
            throw PushCryptError(.unsealed, reason)
        }
        try push.headers.check()
        guard push.headers.channelID == nil else {
            throw PushCryptError(
                .notSealable, "A push to a channel has no device. Remove the channel.")
        }
        if case .token = authentication.kind, push.headers.topic == nil {
            throw PushCryptError(
                .invalidHeader, "The topic is missing. Set the app's bundle ID in the headers.")
        }
        let length = push.payload.count
        let maximum = push.headers.pushType.maximumPayloadLength
        guard length <= maximum else {
            throw PushCryptError(
                .payloadTooLarge, "The payload has \(length) bytes. Shorten it to \(maximum).")
        }
        guard Recipient.isDeviceToken(deviceToken) else {
            throw PushCryptError(
                .invalidDeviceToken,
                "The device token isn't valid. Give 16 to 200 bytes in hexadecimal digits.")
        }
    }
}

/// Sending without a task for each push.
extension APNsClient {
    /// Starts to send a push.
    ///
    /// - Parameters:
    ///   - push: The push.
    ///   - deviceToken: The device token in hexadecimal.
    ///   - sink: The receiver of the result, which it gets once, on the thread of the client's
    ///     event loop. If the push isn't valid, it gets the error on the caller's thread, before
    ///     this function returns.
    ///   - number: A number of ``nextNumber()``; `nil` for a new one.
    /// - Returns: The number of the submission.
    @discardableResult package func submit(
        _ push: APNsPush, to deviceToken: String, _ sink: any ResultSink, number: UInt64? = nil
    ) -> UInt64 {
        let id = push.headers.id ?? .random()
        let number = number ?? nextNumber()
        do throws(PushCryptError) {
            try check(push, deviceToken)
        } catch {
            let error = APNsError(error.code, error.reason, advice: .fixRequest, id: id)
            sink.take([SendingResult(submission: number, result: .failure(error))])
            return number
        }
        mailbox.post(
            .send(
                Submission(number: number, id: id, push: push, deviceToken: deviceToken, sink: sink)
            ))
        return number
    }

    /// Returns the number of a submission to come.
    func nextNumber() -> UInt64 { mailbox.nextNumber() }

    /// Cancels a submitted push, which ends with the code `cancelled` unless it has its result.
    package func cancel(_ submission: UInt64) { mailbox.post(.cancel(submission)) }

    /// Cancels all submitted pushes.
    package func cancelAll() { mailbox.post(.cancelAll) }

    /// Returns the error of a push that was cancelled before it was submitted.
    func cancelledError(_ push: APNsPush) -> APNsError {
        DeliveryErrors.cancelled(push.headers.id ?? .random(), mayBeAccepted: false)
    }
}
#endif
