"""Each sentence of Format.md that refuses something, with the rules whose vectors check it, or the reason for their absence."""

SENDER = "a property of the sender's code, which no input shows"
OUTSIDE = "after opening, in the receiver's own steps"
GUARD = "needs a replay guard with a history; the vectors open without one"
STORE = "depends on the receiver's store of keys"
KEYRING = "a keyring is a file of one server or device"

TABLE = {
    2: {
        "At least one isn't empty, otherwise the error is `invalid-placeholder`.": ("sealing/placeholder",),
        "Any other object or array, even inside of `sound`, is `invalid-payload`.": ("sealing/exposed",),
        "Other values are `invalid-payload`.": ("sealing/activity",),
        "A sender never returns a payload in which nothing is sealed. An `end` without a state is `invalid-payload` too":
            ("sealing/activity",),
        "A receiver resolves JSON escapes first, then rejects these with `malformed-base64`: - padding: `AA==` - characters "
        "outside": ("opening/check-4",),
    },
    3: {
        "Never accept a thumbprint that arrives with a key.": SENDER,
        "A receiver opens with the named key and tries no other key": ("opening/check-8", "opening/check-9"),
        "`invalid-key` means that the key 1. isn't 32 bytes long": ("keys/length", "sealing/recipient-length"),
        "2. isn't canonical: the top bit is set, or the number is 2^255 − 19 or more":
            ("keys/recipient-canonical", "sealing/recipient-canonical"),
        "3. has small order.": ("keys/recipient-order", "sealing/recipient-order"),
    },
    4: {
        "All zeros is `invalid-key`.": ("keys/recipient-order", "sealing/recipient-order"),
        "Compare the tag in constant time before you decrypt. Any mismatch, and an `s` of zeros, is `decryption-failed`.":
            ("opening/check-9",),
    },
    5: {
        "A receiver opens only the kinds that fit the push": ("opening/check-19",),
        "A violation is `invalid-payload`. `aps` is optional: a device that must display something":
            ("sealing/withdrawal",),
        "it displays the fallback: `type-mismatch`": OUTSIDE,
        "Both sides build the first 64 bytes, which are never sent.": ("opening/check-18",),
        "A verification key must be 32 bytes, canonical, on the curve, in the main subgroup and not of small order, else "
        "`invalid-key`.": ("keys/verification-canonical", "keys/verification-curve", "keys/verification-order",
                           "keys/verification-subgroup"),
        "If `needed` is more than `limit`, the error is `payload-too-large`.": ("padding/length", "sealing/length"),
        "The error is `payload-too-large` only if both together need too many.": ("padding/length", "sealing/length"),
        "Never compress": SENDER,
    },
    6: {
        "- A push type of section 2: `not-sealable`.": ("sealing/type",),
        "- A lifetime of 1 second to 30 days: `invalid-lifetime`.": ("sealing/lifetime",),
        "that APNs accepts: `invalid-header`.": ("sealing/header",),
        "- One strict JSON object: `malformed-json`.": ("sealing/original-json",),
        "- At most 65,535 bytes without white space: `payload-too-large`.": ("sealing/original-length",),
        "- No top-level `ENCRYPTED_DATA`: `already-sealed`.": ("sealing/not-sealed-yet",),
        "- No top-level `pushcrypt.receipt` and `pushcrypt.added`: `invalid-payload`.": ("sealing/receipt", "sealing/added"),
        "- `aps`, if present, is an object: `invalid-payload`.": ("sealing/aps",),
        "- In an `alert`, `aps.alert` is a string, an object, `null` or missing: `invalid-payload`.": ("sealing/alert-type",),
        "`aps` is present: `invalid-payload`. `aps.alert` has text: `no-alert-text`.": ("sealing/aps", "sealing/alert-text"),
        "- In `background`, `aps.content-available` is `true` or a number that is 1 in binary64, and `alert`, `badge` and "
        "`sound` are missing or `null`: `invalid-payload`.": ("sealing/background",),
        "have no `ENCRYPTED_DATA`: `already-sealed`.": ("sealing/not-sealed-yet",),
        "Both are objects if section 2 requires them, and nothing is beside `aps`: `invalid-payload`.": ("sealing/activity",),
        "For keys the error is `malformed-jwk`, otherwise `malformed-json`. The reason names the byte offset, never the text.":
            ("keys/jwk", "sealing/original-json", "opening/check-1", "opening/check-22", "challenges/json"),
    },
    7: {
        "1. The sealed payload is strict JSON, if it arrives as JSON: `malformed-json`.": ("opening/check-1",),
        "2. It has `ENCRYPTED_DATA`: `not-sealed`.": ("opening/check-2",),
        "3. This is a string: `malformed-envelope`.": ("opening/check-3",),
        "4. It is base64url without padding: `malformed-base64`.": ("opening/check-4",),
        "5. The envelope isn't empty: `malformed-envelope`.": ("opening/check-5",),
        "6. Byte 0 is `01`: `unsupported-version`.": ("opening/check-6",),
        "7. It has at least 57 bytes: `malformed-envelope`.": ("opening/check-7",),
        "8. The receiver has the private key with this ID: `unknown-key`": ("opening/check-8",),
        "or `key-unreadable` if it can't tell.": STORE,
        "9. The box opens: `decryption-failed`.": ("opening/check-9",),
        "10. The message has at least 32 bytes: `malformed-message`.": ("opening/check-10",),
        "11. The authentication byte is `00` or `01`: `unsupported-authentication`.": ("opening/check-11",),
        "12. The kind is 1 to 9: `unsupported-kind`.": ("opening/check-12",),
        "13. The lifetime is 1 to 2,592,000 seconds: `malformed-message`.": ("opening/check-13",),
        "14. 32 + n, plus 72 if signed, is at most m: `malformed-message`.": ("opening/check-14",),
        "15. All padding is zero: `malformed-message`.": ("opening/check-15",),
        "16. The message is signed: `unsigned`.": ("opening/check-16",),
        "17. The key's account accepts the signer: `unknown-signer`, or `wrong-account` if another account does.":
            ("opening/check-17",),
        "18. The signature is valid: `invalid-signature`.": ("opening/check-18",),
        "19. The receiver opens this kind: `wrong-kind`.": ("opening/check-19",),
        "20. The message isn't too late: `expired`.": ("opening/check-20",),
        "21. It isn't too far in the future: `issued-in-future`.": ("opening/check-21",),
        "22. The payload is strict JSON: `malformed-json`.": ("opening/check-22",),
        "23. The message ID is new, if a replay guard is configured: `replayed`, or `possibly-replayed` if it may be "
        "forgotten.": GUARD,
        "- In step 8, every failure of a key store except a clear \"no\" is `key-unreadable`. A receiver that knows that it "
        "has deleted the key with its account reports `removed-account`. - A guard that can't be used doesn't stop the "
        "message, unless the receiver requires the guard.": STORE,
        "From then on, it rejects messages that become late no later than the forgotten one. - A full guard forgets the "
        "message that was issued first. From then on, it rejects messages": GUARD,
        "It rejects messages that were issued no later as `possibly-replayed`": GUARD,
        "- A notification without title, subtitle and body is `no-alert-text`, after step 23.": OUTSIDE,
        "`possibly-withdrawn`, last of all.": OUTSIDE,
        "any other receiver rejects it.": GUARD,
        "| neither | `replayed` |": GUARD,
        "| neither | `possibly-replayed` |": GUARD,
        "For `wrong-account`, an account that accepts anyone doesn't count.": ("opening/check-17",),
    },
    8: {
        "- `kty`, required: `OKP` - `crv`, required: `X25519` (devices) or `Ed25519` (servers) - `x`, required: the public key":
            ("keys/jwk", "keys/type"),
        "1. `malformed-jwk`: not strict JSON, a required member is missing": ("keys/jwk",),
        "2. `wrong-key-type`: another `kty`, `crv` or `use`, the other curve, or a public key instead of a private one":
            ("keys/type", "sealing/recipient-type"),
        "3. `malformed-jwk`: `x`, `d` or a raw key isn't 32 bytes in strict base64url, or has escapes": ("keys/length",),
        "4. `invalid-key`: the key fails the checks of sections 3 and 5":
            ("keys/recipient-canonical", "keys/recipient-order", "keys/verification-order"),
        "5. `key-pair-mismatch`: `d` doesn't belong to `x`": ("keys/pair",),
        "Two primary keys are `multiple-primary-keys`, and several without one `malformed-jwk`.":
            ("keys/one-primary", "keys/jwk"),
        "Only the chosen key must have the needed curve and be valid.": ("keys/type", "keys/recipient-order"),
        "A key's `lifetime` never changes.": KEYRING,
        "It doesn't write the keyring, because it would lose what a newer program has added: `newer-format`.": KEYRING,
        "- `malformed-jwk`: `kid` or `state` is missing or isn't a string - `thumbprint-mismatch`: `kid` isn't the key's "
        "thumbprint - `no-primary-key`, `multiple-primary-keys`, `unknown-key-state`, `duplicate-key` - `malformed-keyring`: a "
        "missing, invalid or too large number": KEYRING,
        "An invalid member is `malformed-keyring`. A failed decryption is `wrong-passphrase`.": KEYRING,
    },
    10: {
        "A device sends its public key to its server as one strict JSON object with these members.":
            ("registrations/json", "sealing/recipient-form"),
        "`signers`, optional: the `kid` of each key": ("registrations/signers",),
        "All others are required, and numbers are digits only.": ("registrations/members", "sealing/registration"),
        "A `key` that isn't an object is `malformed-registration`. Then problems 1 to 3 of section 8 apply. Then a `key` with "
        "`d` and any other violation are `malformed-registration`, and an invalid key is `invalid-key`.":
            ("registrations/key", "registrations/public", "registrations/members"),
        "1. If the registration or the token is malformed, keep the row and answer with an error.":
            ("registrations/update-1", "registrations/token", "challenges/token"),
        "A program that finds another version, or a member that it doesn't know, doesn't replace the row: `newer-format`.":
            ("registrations/update-newer",),
        "2. If the row is missing and g > 2^52, answer `stale-generation` with 0.":
            ("registrations/update-2", "challenges/update-2"),
        "3. If g < s or g > s + 2^32, keep the row and answer `stale-generation` with s.":
            ("registrations/update-3", "challenges/update-3"),
        "differ, keep the row and answer `stale-generation` with s.": ("registrations/update-4", "challenges/update-4"),
        "5. If the key is a former key of the account, keep the row and answer `stale-generation` with g.":
            ("registrations/update-5", "challenges/update-5"),
        "1. If s ≥ 2^53 − 2^33, it fails with `malformed-registration`, and the operator must delete the row.":
            ("registrations/answer",),
        "`deviceToken` has 16 to 200 bytes in hexadecimal digits. Servers accept both cases, and store lowercase. They never "
        "change the token of another carrier.": ("registrations/token", "challenges/row"),
    },
    11: {
        "- `url`, required: URL of the file": ("attachments/description",),
        "- `type`, required: media type, one of the list below": ("attachments/description",),
        "If no object of the array is valid, or it isn't a nonempty array, the error is `malformed-attachment`.":
            ("attachments/description",),
        "These are `damaged-attachment`, and nothing of the file remains: another version, length, digest or tag, a chunk that "
        "isn't authentic, and padding that isn't zero.":
            ("attachments/version", "attachments/length", "attachments/digest", "attachments/authentic", "attachments/padding"),
        "The first bytes of the file decide, and must agree with `type`. Anything else is `unsupported-media`.":
            ("attachments/media",),
        "Anything else is `download-failed`.": "needs a server",
    },
    12: {
        "The receipt isn't part of the wire format": "one device writes and reads it; no other implementation sees it",
    },
    13: {
        "1. `malformed-signer-list`: the length, the three parts or the header":
            ("signer-lists/length", "signer-lists/parts", "signer-lists/header"),
        "2. `unknown-root`: `kid` is the thumbprint of a root": ("signer-lists/root",),
        "3. `invalid-signature`: the signature has 64 bytes, and fits that root (section 5)": ("signer-lists/signature",),
        "4. `malformed-signer-list`: the content, including a `keys` element that isn't a valid public key, or that has `d`":
            ("signer-lists/content", "signer-lists/keys", "signer-lists/number", "signer-lists/times",
             "signer-lists/audience-type"),
        "5. `wrong-audience`: `aud` has the same bytes as the pinned audience": ("signer-lists/audience",),
        "7. `stale-signer-list`: `number` isn't lower than the stored list's": ("signer-lists/stale",),
        "8. `conflicting-signer-list`: `number` isn't equal to the stored list's": ("signer-lists/conflict",),
        "9. `expired-signer-list`: now < `exp`": ("signer-lists/expired",),
        "A stored list of a pinned root that fails rules 1 to 4 is damaged: it is an error when a message is opened":
            ("signer-lists/stored",),
        "A message whose signer isn't accepted is `unknown-signer`.": ("opening/check-17",),
        "A pending key never signs.": ("signer-lists/choice",),
        "If no key fits, the error is `no-accepted-key`": ("signer-lists/choice",),
    },
    14: {
        "The payload has exactly these members: - `challenge`: the nonce, 43 characters of strict base64url - `expires`: the "
        "expiry, digits only - `aps`, optional: an object":
            ("challenges/members", "challenges/nonce", "challenges/expires", "challenges/aps"),
        "A violation, and another push type, is `invalid-payload`.": ("sealing/challenge",),
        "1. The answer is a strict JSON object with these members, the `proof` has 32 bytes, and the `expires` is an integer of "
        "digits only up to 2^53 − 1: `malformed-registration`.":
            ("challenges/answer", "challenges/answer-proof", "challenges/answer-expires"),
        "2. The registration is valid (section 10).": ("challenges/registration",),
        "3. now < `expires`: `expired-challenge`": ("challenges/expired",),
        "4. The proof is the one for the nonce of the current secret, or of the previous one: `invalid-proof`.":
            ("challenges/secret", "challenges/topic", "challenges/carrier", "challenges/account", "challenges/same-token",
             "challenges/digest", "challenges/expiry", "challenges/proof", "challenges/challenge"),
        "While proofs are on, a registration without a proof changes no row": ("challenges/unproved",),
        "A row that violates this is `malformed-registration`.": ("challenges/row",),
        "While proofs are on, a sender rejects a row without `proved`: `unproved-recipient`.":
            ("challenges/refusal", "carriers/proof"),
        "A server rejects a registration of a carrier that it doesn't send through: `wrong-carrier`.":
            "the carriers are a setting of the server",
    },
    15: {
        "1. A push type that the table doesn't name for the carrier: `not-sealable`": ("carriers/type", "carriers/carrier"),
        "2. A collapse ID that the caller gives for `expo`: `invalid-header`": ("carriers/collapse-id",),
        "or, for `onesignal`, an object as the exposed sound: `invalid-payload`": ("carriers/exposed",),
        "or a placeholder without a body for `onesignal`: `invalid-placeholder`": ("carriers/placeholder",),
        "5. A message that is longer than the limit: `payload-too-large`": ("carriers/length",),
        "6. A device with a token of another carrier: `wrong-carrier`": ("carriers/device",),
        "7. A recipient without a proof, if the sender requires [proofs](#14-proof-of-possession): `unproved-recipient`":
            ("carriers/proof",),
        "The token has at least one character, and visible ASCII characters only: `invalid-header`.": ("carriers/token",),
        "`app_id` (required: `missing-value`)": ("carriers/app-id",),
    },
}
