import PushCryptTesting
import Testing

@testable import PushCryptSender

/// Tests of the members of a budget.
@Suite struct BudgetMembersTests {
    private func members(_ json: String) throws -> [PayloadBudget.Member] {
        try Sealer(.anonymous).budget(json: Array(json.utf8)).members
    }

    private func listed(_ json: String) throws -> [String] {
        try members(json).map { "\($0.location): \($0.bytes)" }
    }

    @Test("The largest member comes first") func theLargestMemberComesFirst() throws {
        let json =
            #"{"k":[1, {"x":"y"}],"aps":{"badge":1,"alert":{"body":"ab","title":"c"}},"\u0061b":true}"#
        #expect(
            try listed(json) == [
                "k: 17", "ab: 14", "aps.alert.body: 11", "aps.alert.title: 11", "aps.badge: 9",
            ])
    }

    @Test("Members of equal size are sorted by location")
    func membersOfEqualSizeAreSortedByLocation() throws {
        #expect(
            try listed(#"{"c":1,"aps":{"z":1},"a":1,"b":2}"#) == [
                "a: 5", "aps.z: 5", "b: 5", "c: 5",
            ])
    }

    @Test("Only aps and alert are listed by their members")
    func onlyApsAndAlertAreListedByTheirMembers() throws {
        #expect(
            try listed(#"{"aps":{"alert":{"x":{"y":1}},"sound":{"name":"n"}},"alert":{"z":1}}"#)
                == ["aps.sound: 20", "alert: 15", "aps.alert.x: 11"])
        #expect(try listed(#"{"k":{"aps":{"alert":{}}}}"#) == ["k: 24"])
        #expect(try listed(#"{"aps":{"aps":{"alert":{}}}}"#) == ["aps.aps: 18"])
    }

    @Test("A value that is not a dictionary is listed itself")
    func aValueThatIsNotADictionaryIsListedItself() throws {
        #expect(try listed(#"{"aps":{"alert":"ab"}}"#) == ["aps.alert: 12"])
        #expect(try listed(#"{"aps":[1]}"#) == ["aps: 9"])
        #expect(try listed(#"{"aps":{}}"#) == [])
        #expect(try listed("{}") == [])
    }

    @Test("Locations are readable") func locationsAreReadable() throws {
        #expect(try listed(#"{"a.b":1}"#) == [#"["a.b"]: 7"#])
        #expect(
            try listed(#"{"\u0061ps":{"\u0061lert":{"b\u006fdy":""}}}"#) == ["aps.alert.body: 14"])
    }

    @Test("The members add up to the used bytes", arguments: PushType.sealable)
    func theMembersAddUpToTheUsedBytes(type: PushType) throws {
        var random = RandomPayload(seed: 0x5A4)
        for _ in 0..<100 {
            let json = random.frame(type).json(filler: Int.random(in: 0...300, using: &random))
            let budget = try Sealer(.anonymous).budget(json: json, type: type)
            let value = try JSONValue(parsing: json)
            // A dictionary that is listed by its members has braces, commas and a name, too.
            var rest = 0
            var count = 0
            for (object, name) in [
                (value, ""), (value["aps"], #""aps":"#), (value["aps"]?["alert"], #""alert":"#),
            ] {
                guard let members = object?.objectValue else { continue }
                rest += name.utf8.count + 2 + max(members.count - 1, 0)
                count += members.count - (name.isEmpty ? 0 : 1)
            }
            #expect(budget.members.reduce(rest) { $0 + $1.bytes } == budget.used)
            #expect(budget.members.count == count)
            #expect(Set(budget.members.map(\.location)).count == count)
            #expect(
                zip(budget.members, budget.members.dropFirst()).allSatisfy { $0.bytes >= $1.bytes })
        }
    }
}
