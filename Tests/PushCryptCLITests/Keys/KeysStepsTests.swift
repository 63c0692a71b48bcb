import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The steps of a key's life from the command line: prepare, promote, retire, destroy.
@Suite(.toolThreads, .thorough) struct KeysStepsTests {
    private let keys: KeyDirectory

    init() throws {
        keys = try KeyDirectory()
    }

    @Test("A pending key is prepared and then promoted") func aPendingKeyIsPreparedAndThenPromoted()
        throws
    {
        let first = try keys.create()
        let prepared = try keys.tool.run("keygen", "--pending", "--keyring", KeyDirectory.name)
        #expect(
            prepared.status == 0
                && prepared.errors.contains("added a pending key to device.jwks, generation 2"))
        try keys.expectNothingSecret(prepared)
        let second = try RecipientPublicKey(parsing: prepared.text)
        #expect(try keys.ring().primary.key.publicKey == first)
        #expect(try keys.ring().pending.map(\.key.publicKey) == [second])
        let run = try keys.run("promote")
        #expect(run.status == 0)
        #expect(run.text == second.jwk + "\n")
        let ring = try keys.ring()
        #expect(
            ring.primary.key.publicKey == second && ring.retired.map(\.key.publicKey) == [first])
        #expect(ring.generation == 3)
        try keys.expectNothingSecret(run)
    }

    @Test("One of several pending keys must be named") func oneOfSeveralPendingKeysIsNamed() throws
    {
        _ = try keys.create()
        let second = try keys.addPending()
        let third = try keys.addPending()
        let before = try keys.tool.read(KeyDirectory.name)
        let unclear = try keys.run("promote")
        #expect(unclear.status == 1)
        #expect(
            unclear.errors.contains("2 keys are pending")
                && unclear.errors.contains("[wrong-key-state]"))
        #expect(try keys.tool.read(KeyDirectory.name) == before)
        // By the id, or by the beginning of the kid.
        #expect(try keys.run("promote", "--", "\(third.keyID)").status == 0)
        #expect(try keys.run("retire", "--", String("\(second.kid)".prefix(20))).status == 0)
        let ring = try keys.ring()
        #expect(ring.primary.key.publicKey == third && ring.pending.isEmpty)
        #expect(ring.retired.first?.key.publicKey == second)
    }

    @Test("Only a pending key is promoted or retired") func onlyAPendingKeyIsPromotedOrRetired()
        throws
    {
        let first = try keys.create()
        let none = try keys.run("promote")
        #expect(
            none.errors.contains("No key is pending. Create one with 'pushcrypt keygen --pending'.")
        )
        for command in ["promote", "retire"] {
            let run = try keys.run(command, "--", "\(first.keyID)")
            #expect(run.status == 1)
            #expect(
                run.errors.contains("is primary and cannot be")
                    && run.errors.contains("[wrong-key-state]"))
            let unknown = try keys.run(command, "no-such-key")
            #expect(unknown.errors.contains("See 'pushcrypt keys list'"))
            #expect(!unknown.errors.contains("no-such-key"))
        }
        #expect(try keys.ring().generation == 1)
    }

    @Test("Due keys are destroyed and printed") func dueKeysAreDestroyedAndPrinted() throws {
        let first = try keys.create()
        _ = try keys.create()
        let none = try keys.run("prune")
        #expect(none.status == 0 && none.text.isEmpty)
        #expect(none.errors == "pushcrypt: hint: no key is due\n")
        try keys.age(days: 32)

        #expect(try keys.run("list").text.contains(" (due)\n"))
        let run = try keys.run("prune")
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("\(first.keyID)  retired ") && run.text.contains(", due since "))
        #expect(try keys.ring().retired.isEmpty)
        #expect(!(try keys.tool.read(KeyDirectory.name).contains("retired")))
        try keys.expectNothingSecret(run)
    }

    @Test("With an implausible clock no key is destroyed", arguments: [-3, 800])
    func anImplausibleClockDestroysNothing(days: Int) throws {
        _ = try keys.create()
        _ = try keys.create()
        try keys.age(days: days)
        let before = try keys.tool.read(KeyDirectory.name)
        let run = try keys.run("prune")
        #expect(run.status == 1)
        #expect(run.errors.contains("[implausible-clock]"))
        #expect(try keys.tool.read(KeyDirectory.name) == before)
        #expect(try keys.run("check").errors.contains("warning: The clock is"))
    }

    @Test("A leaked key is destroyed at once") func aLeakedKeyIsDestroyedAtOnce() throws {
        let first = try keys.create()
        let refused = try keys.run("prune", "--leaked=\(first.keyID)")
        #expect(refused.errors.contains("Rotate first.") && refused.status == 1)
        _ = try keys.create()
        #expect(try keys.run("prune", "--leaked=\(first.keyID)").text == "\(first.keyID)  leaked\n")
        #expect(try keys.ring().retired.isEmpty)
        let gone = try [keys.create(), keys.create(), keys.create()].dropLast().map(\.keyID)
        let leaked = gone.map { "--leaked=\($0)" }
        let wrong = try keys.tool.run(
            all: ["keys", "prune", "--keyring", KeyDirectory.name] + leaked + ["--leaked=?"])
        #expect(wrong.status == 65)
        let prefix = try keys.run(
            "prune", "--leaked=\(try #require(gone.first).description.prefix(9))")
        #expect(
            prefix.status == 65 && prefix.errors.contains("The ID is incomplete"),
            "\(prefix.errors)")
        #expect(
            try gone.allSatisfy { id in
                try keys.ring().retired.contains { $0.key.publicKey.keyID == id }
            })
        let both = try keys.tool.run(
            all: ["keys", "prune", "--keyring", KeyDirectory.name] + leaked)
        #expect(both.text == gone.map { "\($0)  leaked\n" }.joined())
        #expect(
            try gone.allSatisfy { id in
                try !keys.ring().retired.contains { $0.key.publicKey.keyID == id }
            })
    }

    /// A clock that is behind, or years ahead, would give a new key a wrong age.
    @Test("A schedule does nothing with an implausible clock", arguments: [-100, 800])
    func aScheduleRejectsAnImplausibleClock(days: Int) throws {
        _ = try keys.create()
        _ = try keys.addPending()
        try keys.age(days: days)
        let before = try keys.tool.read(KeyDirectory.name)
        // A keyring may be years old when it gets its next key.
        let isEarly = days < 0
        for command in [["keys", "promote", "--older-than", "0d"]]
            + (isEarly ? [["keygen", "--pending"]] : [])
        {
            let run = try keys.tool.run(all: command + ["--keyring", KeyDirectory.name])
            #expect(run.status == 1 && run.errors.contains("[implausible-clock]"), "\(run.errors)")
        }
        #expect(try keys.tool.read(KeyDirectory.name) == before)
        // Naming the key overrides the clock.
        #expect(try keys.run("promote").status == 0)
    }

    @Test("A keyring that is years old gets its next key, and the schedule goes on")
    func anOldKeyring() throws {
        _ = try keys.create()
        try keys.age(days: 800)
        #expect(try keys.run("check").errors.contains("the primary key is more than a year old"))
        #expect(
            try keys.run("promote", "--older-than", "80d").status == 0,
            "There is nothing to promote.")
        let run = try keys.tool.run(all: ["keygen", "--pending", "--keyring", KeyDirectory.name])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try keys.run("promote", "--older-than", "0d").status == 0)
        #expect(try keys.ring().retired.count == 1)
    }

    @Test("A schedule does nothing if there is nothing to do") func aScheduleMayHaveNothingToDo()
        throws
    {
        _ = try keys.create()
        let none = try keys.run("promote", "--older-than", "80d")
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(
            none.errors == "pushcrypt: hint: no pending key has this age: nothing was changed\n")
        let prepare = ["keygen", "--pending", "--unless-pending", "--keyring", KeyDirectory.name]
        let second = try RecipientPublicKey(parsing: keys.tool.run(all: prepare).text)
        let again = try keys.tool.run(all: prepare)
        #expect(again.status == 0 && again.output.isEmpty)
        #expect(
            again.errors == "pushcrypt: hint: the keyring has a pending key: nothing was changed\n")
        #expect(try keys.run("promote", "--older-than", "80d").output.isEmpty)
        try keys.age(days: 79)
        #expect(try keys.run("promote", "--older-than", "80d").output.isEmpty)
        let third = try keys.addPending()
        try keys.age(days: 1)
        // The oldest one, and not the other.
        #expect(try keys.run("promote", "--older-than", "80d").text == second.jwk + "\n")
        #expect(try keys.ring().pending.map(\.key.publicKey) == [third])
        #expect(try keys.run("promote", "--older-than", "80d").output.isEmpty)
        for wrong in [["--older-than", "80"], ["--older-than", "1d", "x"]] {
            #expect(
                try keys.tool.run(all: ["keys", "promote", "--keyring", KeyDirectory.name] + wrong)
                    .status == 64)
        }
        #expect(
            try keys.tool.run("keygen", "--unless-pending", "--keyring", KeyDirectory.name).status
                == 64)
    }

    @Test("A pending key needs an existing keyring") func aPendingKeyNeedsAKeyring() throws {
        let run = try keys.tool.run("keygen", "--pending", "--keyring", "new/device.jwks")
        #expect(run.status == 1)
        #expect(run.errors.contains("create one with 'pushcrypt keygen'"))
        #expect(try keys.tool.names.isEmpty)
    }
}
