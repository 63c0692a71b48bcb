/*
Subject: Messages and receipts, with an attacker who reads, replays, delays, seals, displays and steals.

Code: Sources/PushCryptReceiver/Opening/Opener.swift: open
Code: Sources/PushCryptReceiver/Wire/IncomingMessage.swift: verify
Code: Sources/PushCryptReceiver/Opening/PushAccount.swift: owner, check
Code: Sources/PushCryptReceiver/Opening/Freshness.swift: check
Code: Sources/PushCryptReceiver/Receipts/Receipt.swift: isProved, mac, digest
Code: Sources/PushCryptReceiver/Receipts/ReceiptReader.swift: judgment
Code: Sources/PushCryptReceiver/Reading/UserResponse.swift: isAccepted
Code: Sources/PushCryptReceiver/Inbox/Originals.swift: replayed
Code: Sources/PushCryptReceiver/Keys/KeyDestruction.swift: destroyExpiredKeys

Minimum: 500,000 states

Abstracted: Boxes, signatures and MACs are perfect. Anna's device has the accounts of two servers. The attacker owns the
second server, is a customer of the first one with an own device, reads and writes all pushes, and can steal Anna's
keys. The attacker also has the receipts of displayed notifications, though nothing sends them. A text stands for words
and category, and message n has text n. A message opens for two units of time. A key is destroyed after its messages.

Property MESSAGE-1: A message of the first account was sealed by its server for Anna.
Property MESSAGE-2: A message opens only in a push of its kind.
Property MESSAGE-3: A message opens in its time only.
Property MESSAGE-4: A thief of the keys reads no message to a key whose last message has ended.
Property MESSAGE-5: The app acts on a reply only if the user has seen the message's own text.
Property MESSAGE-6: The app acts on a reply only if the extension has handed the message over at its identifier.
Property MESSAGE-7: The app reads no message in a notification to which the extension has given the quiet text.

Variant WITHOUT_SIGNATURES breaks MESSAGE-1: With Anna's public key, the attacker seals own texts.
Variant WITHOUT_RECIPIENT breaks MESSAGE-1: The attacker opens an own message, and seals it again for Anna.
Variant WITHOUT_ACCOUNT_POLICY breaks MESSAGE-1: The attacker's server seals to Anna's key of the other account.
Variant WITHOUT_KINDS breaks MESSAGE-2: The attacker sends a recorded alert as a background push.
Variant WITHOUT_LIFETIMES breaks MESSAGE-3: The attacker holds a message back for days.
Variant WITHOUT_DESTRUCTION breaks MESSAGE-4: The attacker steals the device, and reads all recorded pushes.
Variant WITHOUT_RECEIPTS breaks MESSAGE-5: The attacker displays own words over a recorded push, and the user replies.
Variant WITHOUT_TEXT_DIGEST breaks MESSAGE-5: The attacker adds a recorded receipt to own words.
Variant WITHOUT_SOURCE breaks MESSAGE-5: The attacker puts one message's text and receipt over another message.
Variant WITHOUT_IDENTIFIER breaks MESSAGE-6: The attacker displays a recorded notification again, with its receipt.
Variant WITHOUT_LOSS_OF_VALUE breaks MESSAGE-7: The attacker replays a message, and the app reads it in the quiet text.
*/
#include "model.h"

#define SENT 2
#define LAST 4
/* Keys of recipients: Anna's for each server, Anna's later one for the first server, and the attacker's. */
#define FIRST 0
#define SECOND 1
#define LATER 2
#define OWN 3
/* Signers: the first server, the attacker's server, and no one. */
#define SERVER 0
#define ATTACKERS 1
#define NOBODY 2
#define ALERT 1
#define BACKGROUND 2
/* The attacker's own words */
#define WORDS 9

/* The key of the box, the signer, the key that the signature covers, the kind, and the time of issue. */
typedef Message { byte key, signer, covers, kind, issued };
Message message[SENT];
byte sent, now = 1;
bool isOpened[SENT];        /* the replay guard */
byte destroyed;             /* The time at which the device destroys the first key. */
/* A displayed notification with an identifier: the text, the message, and the receipt. For the properties: who has
   displayed it */
typedef Receipt { byte text, source, identifier };
typedef Notification { byte text, source; bool isOurs; Receipt receipt };
Notification shown[2];
/* A receipt that the attacker has recorded. */
Receipt recorded;
/* For the properties: the time of the rotation, and the identifiers at which the user has seen each message's text. */
byte rotated, seen[SENT];
byte m, id, kind, account, text, key, signer;
bool opens;

#define CLEAR m = 0; id = 0; kind = 0; account = 0; text = 0; key = 0; signer = 0; opens = false
#define ACCOUNT_OF(k) ((k) == SECOND -> 1 : 0)
#ifdef WITHOUT_DESTRUCTION
#define HAS_KEY(k) ((k) != OWN)
#else
/* Two units after the rotation, the first key is destroyed. */
#define HAS_KEY(k) ((k) != OWN && ((k) != FIRST || destroyed == 0 || now < destroyed))
#endif
#ifdef WITHOUT_SIGNATURES
#define IS_SIGNED(m) true
#elif defined(WITHOUT_ACCOUNT_POLICY)
#define IS_SIGNED(m) (message[m].signer != NOBODY && COVERS(m))
#else
#define IS_SIGNED(m) (message[m].signer == ACCOUNT_OF(message[m].key) && COVERS(m))
#endif
#ifdef WITHOUT_RECIPIENT
#define COVERS(m) true
#else
#define COVERS(m) (message[m].covers == message[m].key)
#endif
#ifdef WITHOUT_KINDS
#define IS_KIND(m, k) true
#else
#define IS_KIND(m, k) (message[m].kind == k)
#endif
#ifdef WITHOUT_LIFETIMES
#define IS_FRESH(m) true
#else
#define IS_FRESH(m) (now <= message[m].issued + 2)
#endif

/* Opener.open, for a push of a kind */
inline open() {
    opens = HAS_KEY(message[m].key) && IS_SIGNED(m) && IS_KIND(m, kind) && IS_FRESH(m);
    if
    :: opens ->
        HOLDS(1, ACCOUNT_OF(message[m].key) == 1
            || message[m].signer == SERVER && message[m].covers == message[m].key);
        HOLDS(2, message[m].kind == kind);
        HOLDS(3, now <= message[m].issued + 2)
    :: else -> skip
    fi
}

/* The extension displays a push, with a receipt in the end. */
inline deliver() {
    open();
    shown[id].receipt.text = 0; shown[id].receipt.source = 0;
    shown[id].receipt.identifier = 0;
    if
    :: opens && !isOpened[m] ->
        isOpened[m] = true; seen[m] = seen[m] | BIT(id);
        shown[id].text = m + 1; shown[id].source = m + 1; shown[id].isOurs = true;
        shown[id].receipt.text = m + 1; shown[id].receipt.source = m + 1; shown[id].receipt.identifier = id + 1;
        recorded.text = m + 1; recorded.source = m + 1; recorded.identifier = id + 1;
        SAY("The extension displays message %d under %d.\n", m, id)
    :: opens && isOpened[m] ->
#ifdef WITHOUT_LOSS_OF_VALUE
        shown[id].text = 0; shown[id].source = m + 1;
#else
        shown[id].text = 0; shown[id].source = 0;
#endif
        shown[id].isOurs = true;
        SAY("The extension displays a quiet text for the replayed message %d under %d.\n", m, id)
    :: else ->
        shown[id].text = 0; shown[id].source = 0; shown[id].isOurs = true;
        SAY("The extension displays the fallback under %d.\n", id)
    fi
}

/* The attacker displays any text over any message, without the extension, and adds any receipt. */
inline display() {
    shown[id].text = text; shown[id].source = m + 1; shown[id].isOurs = false;
    shown[id].receipt.text = (opens -> recorded.text : 0);
    shown[id].receipt.source = (opens -> recorded.source : 0);
    shown[id].receipt.identifier = (opens -> recorded.identifier : 0);
    SAY("The attacker displays the text %d over message %d, with a recorded receipt %d.\n", text, m, opens)
}

/* ReceiptReader.judgment and UserResponse.isAccepted */
#ifdef WITHOUT_RECEIPTS
#define IS_PROVED true
#else
#define IS_PROVED (shown[id].receipt.text != 0 && IS_TEXT && IS_SOURCE && IS_IDENTIFIER)
#endif
#ifdef WITHOUT_TEXT_DIGEST
#define IS_TEXT true
#else
#define IS_TEXT (shown[id].receipt.text == shown[id].text)
#endif
#ifdef WITHOUT_SOURCE
#define IS_SOURCE true
#else
#define IS_SOURCE (shown[id].receipt.source == shown[id].source)
#endif
#ifdef WITHOUT_IDENTIFIER
#define IS_IDENTIFIER true
#else
#define IS_IDENTIFIER (shown[id].receipt.identifier == id + 1)
#endif

inline reply() {
    m = shown[id].source - 1;
    kind = ALERT;
    open();
    if
    :: opens ->
        HOLDS(7, !shown[id].isOurs || shown[id].text != 0);
        if
        :: IS_PROVED ->
            SAY("The user replies to the text %d, and the app sends the reply for message %d.\n", shown[id].text, m);
            HOLDS(5, shown[id].text == shown[id].source);
            HOLDS(6, HAS(seen[m], id))
        :: else -> skip
        fi
    :: else -> skip
    fi
}

inline seal(aKey, aSigner, aCovered, aTime) {
    message[sent].key = aKey; message[sent].signer = aSigner; message[sent].covers = aCovered;
    message[sent].kind = ALERT; message[sent].issued = aTime;
    sent++
}

#define CHOOSE_MESSAGE m = 0; do :: m + 1 < sent -> m++ :: break od

active proctype world() {
end:
    do
    :: atomic { sent < SENT;            /* The first server writes to Anna, or to its customer, the attacker. */
        if :: key = (rotated > 0 -> LATER : FIRST) :: key = OWN fi;
        d_step { seal(key, SERVER, key, now);
            SAY("Message %d: the server seals to key %d.\n", sent - 1, key); CLEAR } }
    :: atomic { sent < SENT;            /* The attacker seals an own message. */
        if :: key = FIRST :: key = SECOND fi;
        if :: signer = ATTACKERS :: signer = NOBODY fi;
        d_step { seal(key, signer, key, now);
            SAY("Message %d: the attacker seals to Anna's key %d, signer %d (2: none).\n", sent - 1, key, signer);
            CLEAR } }
    :: atomic { sent > 0 && sent < SENT; CHOOSE_MESSAGE;
        if
        :: message[m].key == OWN ->     /* The attacker opens it, and seals it again. */
            d_step { key = message[m].issued; seal(FIRST, SERVER, OWN, key);
                SAY("Message %d: the attacker seals message %d again to Anna.\n", sent - 1, m); CLEAR }
        :: else -> m = 0
        fi }
    :: atomic { sent > 0; CHOOSE_MESSAGE; if :: id = 0 :: id = 1 fi;
        d_step { kind = ALERT; deliver(); CLEAR } }
    :: atomic { sent > 0; CHOOSE_MESSAGE;
        d_step { kind = BACKGROUND; open(); SAY("Message %d arrives as a background push, opens %d.\n", m, opens);
            CLEAR } }
    :: atomic { sent > 0; CHOOSE_MESSAGE; if :: id = 0 :: id = 1 fi;
        if :: text = WORDS :: recorded.text > 0 -> text = recorded.text fi;
        if :: opens = true :: opens = false fi;
        d_step { display(); CLEAR } }
    :: atomic { shown[0].source > 0 || shown[1].source > 0;
        if :: shown[0].source > 0 -> id = 0 :: shown[1].source > 0 -> id = 1 fi;
        d_step { reply(); CLEAR } }
    :: d_step { now < LAST -> now++; SAY("It's %d.\n", now) }
    :: d_step { rotated == 0 && now < LAST -> rotated = now; destroyed = now + 3;
        SAY("The device rotates its key.\n") }
    :: atomic { sent > 0; CHOOSE_MESSAGE;
        d_step { HOLDS(4, !HAS_KEY(message[m].key) || message[m].key != FIRST || rotated == 0 || now <= rotated + 2);
            SAY("The attacker steals the keys, and reads message %d: %d.\n", m, HAS_KEY(message[m].key));
            CLEAR } }
    od
}
