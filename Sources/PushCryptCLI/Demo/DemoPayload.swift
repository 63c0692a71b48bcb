/// The payloads of the demo.
enum DemoPayload {
    static let original = """
        {
          "aps": {
            "alert": {
              "title": "Card payment",
              "subtitle": "Account ending 4421",
              "body": "You paid 1,249.00 € to Löwen Apotheke, Berlin. Not you? Tap to block the \
        card. 🛑"
            },
            "badge": 3,
            "sound": "default",
            "category": "PAYMENT",
            "thread-id": "account-4421"
          },
          "payment": { "id": 12345678901234567890, "amount": 1249.10, "link": \
        "bank://payments/8842" }
        }
        """

    /// A push that an attacker writes.
    static let forged = """
        {"aps":{"alert":{"title":"Your bank","body":"Your account is locked. Sign in at \
        evil.example"},"mutable-content":1}}
        """
}
