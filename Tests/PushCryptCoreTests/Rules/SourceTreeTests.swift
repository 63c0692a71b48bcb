import Testing

/// The rules are only as good as what finds the code.
@Suite struct SourceTreeTests {
    @Test(arguments: [
        ("a // unsafe\nb", "a \nb"), ("a /* unsafe\n */ b", "a \n b"), ("a(\"unsafe\") b", "a(\"\") b"),
        (#"a("\"unsafe") b"#, "a(\"\") b"),
        ("a(#\"un\"safe\"#) b", "a(\"\") b"), ("\"\"\"\n\"unsafe\"\n\"\"\" b", "\"\" b"),
        ("\"// x\" unsafe", "\"\" unsafe"),
        ("/// unsafe \"\nunsafe x", "\nunsafe x"), (#""\\" unsafe"#, "\"\" unsafe"), ("", ""),
        ("#if unsafe", "#if unsafe"),
    ])
    func leavesOutCommentsAndLiterals(_ text: String, _ code: String) {
        #expect(SourceTree.code(in: text) == code)
    }

    @Test func findsImports() {
        #expect(Set(SourceTree.imports(of: "PushCryptCore/Sodium/Sodium.swift")) == ["CSodium", "Clibsodium"])
        #expect(SourceTree.imports(of: "PushCryptCore/LockedValue.swift") == ["Dispatch"])
    }
}
