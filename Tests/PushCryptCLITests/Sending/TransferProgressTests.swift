import Testing

@testable import PushCryptCLI

struct TransferProgressTests {
    @Test("The text has the percentage if the length is known") func text() {
        let progress = TransferProgress("sealed")
        #expect(progress.text(65_536, of: 0) == "sealed 65536 bytes")
        #expect(progress.text(65_536, of: 131_072) == "sealed 65536 of 131072 bytes, 50 %")
        #expect(progress.text(200, of: 100) == "sealed 200 of 100 bytes, 100 %")
    }
}
