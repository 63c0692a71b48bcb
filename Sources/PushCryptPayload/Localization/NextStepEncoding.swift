/// The encoding of NeXTSTEP, in which the system reads the octal escapes of a `.strings` file to this day.
enum NextStepEncoding {
    /// The character with a code; `nil` for the two codes that have none, and beyond one byte.
    static func scalar(_ code: Int) -> Unicode.Scalar? {
        if code < 0x80 { return Unicode.Scalar(UInt8(code)) }
        return code - 0x80 < upperHalf.count ? upperHalf[code - 0x80] : nil
    }

    /// The characters from 0x80 on; up to there it is ASCII.
    private static let upperHalf = Array(
        """
        \u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷\
        ©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿\
        ¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêë\
        ìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ
        """.unicodeScalars)
}
