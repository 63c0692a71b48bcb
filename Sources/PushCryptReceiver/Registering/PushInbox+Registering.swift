internal import PushCryptCore
public import PushCryptKeyring
internal import PushCryptSystem

// The device's keys and their registration with the app's server.
extension PushInbox {
    /// Sends a request, whose body is ``RegistrationRequest/json``, to the app's server.
    public typealias SendRegistration =
        @Sendable (_ request: RegistrationRequest) async throws -> RegistrationResponse

    /// Creates, registers and rotates the device's keys, at each launch and after
    /// ``AppPush/asksToRegister``.
    ///
    /// The server isn't called if it knows everything. It's called after a change of the key, the
    /// device token or the account, once a week, and after some days without a launch. After an
    /// interruption, the next call continues. After a reinstallation or a restored backup, new keys
    /// replace the old ones.
    ///
    /// The call answers the challenges that have arrived, and prepares the shared files if that has
    /// failed before.
    ///
    /// ```swift
    /// try await inbox.register(DeviceToken("dPz-1:APA91bH_Zx"), account: "user-7") { request in
    ///     // POST request.json to your server, as the signed-in user.
    ///     return .accepted(date: nil)
    /// }
    /// ```
    ///
    /// Call it in the app only. An extension has other directories, so it would count as another
    /// installation.
    ///
    /// - Parameters:
    ///   - token: The token that the carrier has issued for this device.
    ///   - account: The server's permanent name of the signed-in user, which a proof binds. An app
    ///     with several accounts names them so; an app with one account without a name may pass any
    ///     user.
    ///   - send: Sends a request to the app's server. It isn't called if the server knows
    ///     everything, or if a challenge of the last hour is still to come.
    /// - Returns: The state in which the keys were found.
    /// - Throws: What `send` throws, or ``PushCryptError``: `keyUnreadable`, `deviceLocked` or
    ///   `missingEntitlement` if the keys can't be used now; `staleGeneration`,
    ///   `malformedRegistration`, `unknownKey`, `invalidLifetime` or a file error; `newerFormat` if
    ///   a newer version of the app has written the keys; `missingValue` if the token is empty;
    ///   `invalidConfiguration` for an unknown account, one whose store can't be updated, or a
    ///   token of APNs if the carrier has tokens of its own; the code of a rule that the server's
    ///   list of accepted keys breaks. The keys are safe then, and the next call continues.
    @discardableResult
    public func register(
        _ token: DeviceToken, account: String = "", with send: @escaping SendRegistration
    ) async throws -> KeyPreparation {
        let name = try pushAccount(account).name
        let removals = app.withLock { $0.removals[name] }
        return try await register(token, account, since: removals, with: send)
    }

    /// Registers unless the app has removed the account since, and keeps a failed registration for
    /// a repetition.
    private func register(
        _ token: DeviceToken, _ account: String, since removals: Int?,
        with send: @escaping SendRegistration
    ) async throws -> KeyPreparation {
        let name = try pushAccount(account).name
        // While it runs, registerAgain() doesn't begin another one.
        app.withLock { $0.failedRegistrations[name] = nil }
        prepareAgain()
        do {
            return try await inBackground { [self] in
                try await answer(token, account, since: removals, with: send)
            }
        } catch {
            let again: @Sendable () async throws -> Void = { [weak self] in
                _ = try await self?.register(token, account, since: removals, with: send)
            }
            app.withLock {
                if $0.removals[name] == removals { $0.failedRegistrations[name] = again }
            }
            throw error
        }
    }

    /// Answers the pushes that have asked an account to register, and registers it.
    private func answer(
        _ token: DeviceToken, _ account: String, since removals: Int?, with send: SendRegistration
    ) async throws -> KeyPreparation {
        let registrar = try await registrar(account)
        let pushes = app.withLock { $0.asking.pushes(for: account) }
        var failure: (any Error)?
        // The newest first: a challenge may be for a registration that another one has followed.
        for push in pushes.reversed() {
            try checkRemoval(of: account, since: removals)
            do {
                _ = try await registrar.register(ifAskedBy: push, token, with: send)
                answer([push], by: account)
            } catch {
                failure = failure ?? error
            }
        }
        try checkRemoval(of: account, since: removals)
        let result = try await registrar.launch(token, with: send)
        // A confirmed registration needs no proof any more.
        if result.isConfirmed { answer(pushes, by: account) } else if let failure { throw failure }
        return result.preparation
    }

    /// Throws if the app has removed the account meanwhile: the next conversation would create its
    /// keys again.
    private func checkRemoval(of account: String, since removals: Int?) throws(PushCryptError) {
        let name = try pushAccount(account).name
        guard app.withLock({ $0.removals[name] == removals }) else { throw KeyRotation.noKeys }
    }

    private func answer(_ pushes: [AskingPush], by account: String) {
        app.withLock { app in
            for push in pushes {
                app.asking.answer(push, by: account, of: configuration.accounts.count)
            }
        }
    }

    /// Repeats the registrations that have failed, for example because the device was locked.
    package func registerAgain() async {
        for register in app.withLock({ Array($0.failedRegistrations.values) }) {
            do {
                try await register()
            } catch let error as PushCryptError {
                log?(PushEvent(error))
            } catch {
                // The error of the app's own server, which the app has seen the first time.
            }
        }
    }

    /// Creates and registers a new key, because the keys may have leaked.
    ///
    /// If the server can't be reached, the next ``register(_:account:with:)`` registers the new
    /// key.
    ///
    /// - Throws: The errors of ``register(_:account:with:)``.
    public func renew(_ token: DeviceToken, account: String = "", with send: SendRegistration)
        async throws
    {
        try await registrar(account).renew(token, with: send)
    }

    /// Deletes an account's keys and the state of its registration, when the user signs out.
    ///
    /// Tell the server first, so that it stops sending. Pushes that are sealed already can never be
    /// opened again; for 32 days, they display the fallback for `removedAccount`. Other accounts
    /// stay as they are.
    ///
    /// - Throws: ``PushCryptError`` with `keyUnreadable`, `deviceLocked` or `missingEntitlement` if
    ///   the keys can't be read or deleted now, or a file error. Call the method again in that
    ///   case.
    public func removeAccount(_ account: String = "") async throws {
        let name = try pushAccount(account).name
        app.withLock { app in
            // No registration that has failed or still runs creates the keys again.
            app.removals[name, default: 0] += 1
            app.failedRegistrations[name] = nil
        }
        try await registrar(account).removeAccount(recordingIn: store?.removedKeys)
    }

    /// Returns the account of a user: the one with this name, or the only one if it has no name.
    private func pushAccount(_ user: String) throws(PushCryptError) -> PushAccount {
        let only = configuration.accounts.count == 1 ? configuration.accounts.first : nil
        let own = configuration.accounts.first { $0.name == user }
        guard let account = own ?? only.flatMap({ $0.name.isEmpty ? $0 : nil }) else {
            throw PushCryptError(
                .invalidConfiguration,
                "The configuration doesn't have the account. Add it, or pass its name.")
        }
        return account
    }

    /// Returns the registrar of an account.
    func registrar(_ name: String) async throws -> DeviceRegistrar {
        let settings = configuration.registration
        let account = try pushAccount(name)
        guard let keys = account.keys as? any KeyringStore else {
            throw PushCryptError(
                .invalidConfiguration, "The account's store can't be updated. Pass a KeyringStore.")
        }
        return DeviceRegistrar(
            store: keys, deviceID: await settings.deviceID(),
            directory: try settings.directory(account.name),
            account: name, senderPolicy: account.senderPolicy, rotationAge: settings.rotationAge,
            lifetime: settings.lifetime, challenges: store?.challenges,
            carrier: configuration.carrier,
            time: configuration.time)
    }
}
