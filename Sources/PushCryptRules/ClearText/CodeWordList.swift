/// The words of ``CodeWords``, in the languages that most one-time codes are sent in.
///
/// Short on purpose: each further word is one more that a harmless number may stand near.
enum CodeWordList {
    /// What each word does; also some pairs of words, with one space between.
    static let words: [String: CodeWords.Roles] = {
        var words: [String: CodeWords.Roles] = [:]
        for (roles, list) in lists {
            for word in list.split(whereSeparator: \.isWhitespace) {
                words[String(word.map { $0 == "_" ? " " : $0 }), default: []].formUnion(roles)
            }
        }
        return words
    }()

    /// A word as the list has it: in small letters, and i for the Turkish İ, whose small form is two scalars otherwise.
    static func folded(_ word: String) -> String {
        String(String.UnicodeScalarView(word.unicodeScalars.map { $0 == "\u{130}" ? "i" : $0 })).lowercased()
    }

    private static let lists: [(CodeWords.Roles, String)] = [
        (
            .cue,
            """
            code codes passcode otp totp pin 2fa mfa one_time onetime password verification verify authentication
            sicherheitscode bestätigungscode verifizierungscode verifikationscode einmalcode einmalpasswort
            einmalkennwort zugangscode anmeldecode freischaltcode aktivierungscode prüfcode logincode smscode
            authentifizierungscode mtan smstan pushtan phototan chiptan geheimzahl passwort kennwort verifizierung
            vérification de_passe código codigo códigos clave contraseña verificación verificar codice codici verifica
            senha verificação verificatiecode pincode inlogcode toegangscode beveiligingscode bevestigingscode
            verificatie wachtwoord kod kodu kodem kody hasło weryfikacja weryfikacji weryfikacyjny kodunuz kodun kodunu
            şifre şifreniz şifresi doğrulama koden engångskod engångskoden verifieringskod säkerhetskod
            inloggningskod bekräftelsekod lösenord verifiering kode engangskode bekræftelseskode bekreftelseskode
            sikkerhedskode sikkerhetskode koodi koodisi vahvistuskoodi kertakäyttökoodi turvakoodi kód kódu kódja kódod
            codul mã_xác xác_minh xác_thực κωδικός κωδικό код кода кодом пароль رمز الرمز رمزك كود الكود کد קוד הקוד
            कोड ओटीपी
            """
        ),
        // Brown or so in Spanish, and a fish.
        ([.cue, .onlyBeside], "tan cod"),
        (.link, "number no nr num n numero número numéro nummer id in with on the your auf par en"),
        (
            [.link, .says],
            "is are ist lautet sind est es son è é sono são jest wynosi to är er je adalah là είναι это هو"
        ),
        (
            .naming,
            """
            order orders invoice bill receipt ticket case flight train bus room gate seat platform track parcel package
            shipment tracking reference ref booking reservation transaction account acct customer client user member
            membership policy item sku article product model version build release page chapter lot apartment apt suite
            address street issue pr bug ending ends year table route section channel extension ext task job request
            quote claim contract
            bestellung auftrag rechnung zimmer flug zug kunde kundennummer bestellnummer auftragsnummer rechnungsnummer
            sendung sendungsnummer vertrag vorgang tisch endziffern
            commande facture chambre vol dossier colis réservation pedido factura habitación vuelo cliente reserva
            terminada ordine fattura camera volo prenotazione encomenda fatura quarto voo bestelling factuur kamer
            vlucht klant zamówienie zamówienia faktura pokój sipariş oda beställning rum заказ заказа
            """
        ),
        (
            .unit,
            """
            eur euro euros usd dollar dollars gbp pounds chf jpy yen kr sek nok dkk zł pln tl try rs inr cny rmb rub
            points pts punkte puntos punti pontos coins credits xp steps schritte km m cm mm kg g mg ml l kcal cal mb gb
            kb bytes people users members items pieces photos miles feet ft followers likes views times years lines
            accounts orders customers messages
            """
        ),
        // Amounts have it in front as well.
        (.naming, "eur euro usd gbp chf jpy sek nok dkk pln rs inr cny rmb rub"),
        (
            .spoilsNext,
            """
            zip postal post promo promotional promotion discount coupon voucher gift area country dialing dialling dial
            calling dress qr bar source exit status tax building product item tracking referral error response http
            color colour hex morse sort order booking article bank branch swift sku airport station stock deal sale
            currency penal civil genetic reason rabatt gutschein aktions fehler posta indirim promosyon kupon hata
            почтовый
            """
        ),
        (
            .spoilsPrevious,
            """
            postal postale promo promotionnel promocional promoción sconto descuento desconto fiscale réduction barre
            barres barras qr source erreur error errore rabatowy pocztowy pos diskon review reviews red name names freeze
            base conduct payment fee offer donation purchase charge deal gift discount bonus
            """
        ),
        (.of, "of de di du do da del d"),
    ]

    // MARK: Scripts without spaces

    /// The longest known phrase that begins at a place, where it ends and what it does.
    static func phrase(in text: ScannedText, at start: Int) -> (end: Int, roles: CodeWords.Roles)? {
        guard let first = text.scalar(start), let candidates = phrases[first] else { return nil }
        for (phrase, roles) in candidates {
            let end = start + phrase.count
            guard end <= text.count, text.scalars[start..<end].elementsEqual(phrase) else { continue }
            // In katakana a word within a word is another one: a record is no code.
            guard !(isKatakana(first) && isKatakana(text.scalar(start - 1))),
                !(isKatakana(phrase.last) && isKatakana(text.scalar(end)))
            else { continue }
            return (end, roles)
        }
        return nil
    }

    private static func isKatakana(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { (0x30A1...0x30FF).contains($0.value) } ?? false
    }

    /// The phrases by their first scalar, the longest first.
    private static let phrases: [Unicode.Scalar: [([Unicode.Scalar], CodeWords.Roles)]] = {
        var phrases: [Unicode.Scalar: [([Unicode.Scalar], CodeWords.Roles)]] = [:]
        for (roles, list) in phraseLists {
            for phrase in list.split(whereSeparator: \.isWhitespace) {
                let scalars = phrase.unicodeScalars.map { $0 == "_" ? " " : $0 }
                guard let first = scalars.first else { continue }
                phrases[first, default: []].append((scalars, roles))
            }
        }
        return phrases.mapValues { $0.sorted { $0.0.count > $1.0.count } }
    }()

    private static let phraseLists: [(CodeWords.Roles, String)] = [
        (
            .cue,
            """
            验证码 驗證碼 校验码 校驗碼 动态码 動態碼 动态密码 動態密碼 一次性密码 一次性密碼 安全码 安全碼 确认码 確認碼
            登录码 登錄碼 认证码 認證碼 口令 密码 密碼
            認証コード 確認コード 検証コード ワンタイムパスワード セキュリティコード ログインコード アクセスコード
            パスコード 暗証番号 認証番号 コード
            인증번호 인증_번호 인증코드 인증_코드 보안코드 보안_코드 확인코드 확인_코드 비밀번호 코드 รหัส
            """
        ),
        // These hold a cue and are none.
        (
            [],
            """
            バーコード クーポンコード プロモコード プロモーションコード 割引コード 바코드 할인코드 할인_코드 쿠폰코드 쿠폰_코드
            รหัสไปรษณีย์
            """
        ),
        (.naming, "注文番号 注文 会員番号 订单号 订单编号 订单 訂單編號 訂單 주문번호 주문_번호 주문"),
        (.unit, "年 円 元 点 件 人 歩 步 块 积分 ポイント 년 원 명 개 점 포인트 บาท"),
        ([.link, .says], "は 是 为 為 은 는"),
    ]
}
