/// The words that tell one-time codes from other numbers, in the form that ``FoldedText`` gives
/// them.
///
/// A word of up to three characters matches only as a whole word. A longer one matches as part of a
/// word, as in `passcode` and `Bestätigungscode`. A word that several languages have is in the list
/// of one of them.
enum CodeWords {
    /// Words beside a one-time code: `Your code is 123456`.
    static let announcingCodes: KeyValuePairs<String, String> = [
        "English": "code otp totp pin 2fa mfa token password verif",
        "Arabic": "رمز الرمز رمزك كود",
        "Chinese": "验证码 驗證碼 校验码 动态码 密码 密碼",
        "Czech, Hungarian": "kód",
        "Danish, Norwegian": "kode",
        "Dutch": "wachtwoord",
        "Finnish": "koodi",
        "French": "vérif",
        "German": "tan passwort kennwort bestätig",
        "Greek": "κωδικό",
        "Hebrew": "קוד",
        "Hindi": "कोड ओटीपी",
        "Italian": "codice codici",
        "Japanese": "コード パスワード 暗証番号 認証番号",
        "Korean": "인증 비밀번호 코드",
        "Polish": "kod kodu kodem hasło weryfik",
        "Portuguese": "senha",
        "Russian": "код кода кодом пароль",
        "Spanish": "código codigo clave contraseña",
        "Swedish": "lösenord",
        "Thai": "รหัส",
        "Turkish": "doğrula şifre",
    ]

    /// Words beside other numbers: `order 12345`, `promo code 12345`, `12345 points`.
    static let announcingOtherNumbers: KeyValuePairs<String, String> = [
        "English": """
        order invoice receipt ticket flight room booking reservation tracking account customer \
        promo coupon voucher \
        discount gift postal zip area error response status qr barcode points steps credits
        """,
        "Chinese": "订单 訂單",
        "French": "commande facture",
        "German": "bestellung auftrag rechnung gutschein",
        "Italian": "ordine sconto",
        "Japanese": "注文 クーポン バーコード",
        "Korean": "주문 쿠폰",
        "Russian": "заказ",
        "Spanish": "pedido factura",
    ]
}
