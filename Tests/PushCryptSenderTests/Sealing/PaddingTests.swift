import PushCryptSender
import Testing

@Suite struct PaddingTests {
    @Test(
        "Buckets round up",
        arguments: [
            (0, 256), (1, 256), (256, 256), (257, 512), (512, 512), (513, 1024), (1024, 1024),
            (1025, 2048),
            (2048, 2048),
            (2049, 2964), (2964, 2964),
        ])
    func bucketsRoundUp(_ length: Int, _ padded: Int) {
        #expect(Padding.buckets.paddedLength(length, limit: 2964) == padded)
    }

    @Test(
        "Buckets never exceed the limit",
        arguments: [
            (100, 200, 200), (100, 256, 256), (300, 511, 511), (300, 512, 512), (10, 10, 10),
            (1500, 2047, 2047),
        ])
    func bucketsNeverPassTheLimit(_ length: Int, _ limit: Int, _ padded: Int) {
        #expect(Padding.buckets.paddedLength(length, limit: limit) == padded)
    }

    @Test("A padded length is between length and limit") func aPaddedLengthFitsAndIsEnough() {
        for padding in Padding.allCases {
            for limit in stride(from: 0, through: 3_000, by: 37) {
                for length in stride(from: 0, through: limit, by: 29) {
                    let padded = padding.paddedLength(length, limit: limit)
                    if !(length...limit).contains(padded) {
                        Issue.record("\(padding) \(length) \(limit)")
                    }
                }
            }
        }
    }

    @Test("Maximum is the limit, and none is the length") func theOthersAreTheEnds() {
        for length in [0, 32, 300, 2964] {
            #expect(Padding.maximum.paddedLength(length, limit: 2964) == 2964)
            #expect(Padding.none.paddedLength(length, limit: 2964) == length)
        }
    }
}
