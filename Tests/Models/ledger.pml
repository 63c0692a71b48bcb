/*
Subject: Withdrawals and the ledger: late and copied notifications, two accounts, a lost ledger, and an attacker.

Code: Sources/PushCryptReceiver/Withdrawals/WithdrawalLedger.swift: show, withdraw, record, acts, isWithdrawn, withdrawn
Code: Sources/PushCryptReceiver/Withdrawals/SharedNotifications.swift: withdraw, admit, removeWithdrawn
Code: Sources/PushCryptReceiver/Withdrawals/LedgerFile.swift: header
Code: Sources/PushCryptReceiver/Delivery/NotificationPipeline.swift: withdraw
Code: Sources/PushCryptReceiver/Secrets/StoreEpoch.swift: StoreStart

Minimum: 100,000 states

Abstracted: The replay guard passes each copy. Each step takes a unit of time. Messages open for eight units, and the
withdrawal has a lifetime of one. The system removes a notification at once. A withdrawal names one identifier.

Property WITHDRAWAL-1: After a withdrawal, no earlier message of its identifier is displayed, however late it arrives.
Property WITHDRAWAL-2: No copy of a withdrawn notification is displayed under another identifier.
Property WITHDRAWAL-3: A message that was issued after the withdrawal is displayed, and stays.
Property WITHDRAWAL-4: A withdrawal changes no notification of another account.
Property WITHDRAWAL-5: After the ledger is lost, no earlier message is displayed.
Property WITHDRAWAL-6: An unsigned withdrawal changes nothing.

Variant WITHOUT_MEMORY breaks WITHDRAWAL-1: An attacker holds a message back until after its withdrawal.
Variant WITHOUT_LATEST_END breaks WITHDRAWAL-1: An attacker holds a message back until its withdrawal has expired.
Variant WITHOUT_MESSAGE_IDS breaks WITHDRAWAL-2: An attacker sends a copy with another collapse ID.
Variant WITHOUT_ISSUE_TIMES breaks WITHDRAWAL-3: A late withdrawal removes the message that came after it.
Variant WITHOUT_LEDGER_ACCOUNTS breaks WITHDRAWAL-4: The server of one account removes another account's notifications.
Variant WITHOUT_REPLACING breaks WITHDRAWAL-4: A withdrawal removes the notification that has replaced its own.
Variant WITHOUT_BEGINNING breaks WITHDRAWAL-5: The user reinstalls the app, and an attacker displays withdrawn messages.
Variant WITHOUT_SIGNED_WITHDRAWALS breaks WITHDRAWAL-6: With the device's public key, an attacker hides notifications.
*/
#include "model.h"

#define MESSAGES 2
#define LAST 9
#define LATEST 8
/* Identifiers: 0 is the collapse ID, 1 another one, which an attacker can choose. */
#define NOTHING 0

typedef Message { byte account, issued };
Message message[MESSAGES];
byte sealed, now = 1;
/* The system's list and the ledger: the number of the message plus 1, by identifier. */
byte shown[2], entry[2];
/* Withdrawals by account: of identifier 0, and of each message. Their issue time and their end. */
typedef Withdrawals { byte issued[3]; byte end[3] };
Withdrawals ledger[2];
byte start;             /* The ledger begins here; 0 is the first file. */
/* The withdrawal of account 0: 0 isn't sealed yet. */
byte issued, delivered;
bool isSigned, hadShown[MESSAGES], wasLost;
byte m, id, i, t;
bool acts;

#ifdef WITHOUT_LEDGER_ACCOUNTS
#define ACCOUNT(a) 0
#else
#define ACCOUNT(a) a
#endif
#ifdef WITHOUT_ISSUE_TIMES
#define IS_COVERED(n, w) true
#else
#define IS_COVERED(n, w) (message[n].issued <= w)
#endif

#define WITHDRAWN ledger[ACCOUNT(message[n].account)]
/* WithdrawalLedger.acts for a message n under an identifier */
inline find_withdrawal(n, identifier) {
    acts = false; t = 0;
    do
    :: t < 3 ->
        acts = (acts || (WITHDRAWN.issued[t] > 0 && WITHDRAWN.end[t] >= now && IS_COVERED(n, WITHDRAWN.issued[t]) &&
            (t == 0 && (identifier) == 0 || t == n + 1)));
        t++
    :: else -> break
    od
}

/* WithdrawalLedger.record */
inline record(target) {
    ledger[0].issued[target] = MOST(ledger[0].issued[target], issued);
#ifdef WITHOUT_LATEST_END
    ledger[0].end[target] = MOST(ledger[0].end[target], issued + 2)
#else
    ledger[0].end[target] = MOST(ledger[0].end[target], issued + LATEST)
#endif
}

/* WithdrawalLedger.show, as SharedNotifications.admit calls it */
inline display() {
    find_withdrawal(m, id);
    if
    :: acts -> SAY("Message %d isn't displayed under %d, because it's withdrawn.\n", m, id)
#ifndef WITHOUT_BEGINNING
    :: !acts && start > 0 && message[m].issued <= start ->
        shown[id] = NOTHING; entry[id] = NOTHING; SAY("Message %d is possibly withdrawn.\n", m)
#endif
    :: else ->
        HOLDS(5, !wasLost || message[m].issued > start);
        shown[id] = m + 1;
#ifdef WITHOUT_REPLACING
        entry[id] = (entry[id] == NOTHING -> m + 1 : entry[id]);
#else
        entry[id] = m + 1;
#endif
        SAY("Message %d of account %d is displayed under %d.\n", m, message[m].account, id)
    fi;
    HOLDS(3, !acts || message[m].account == 1 || message[m].issued <= issued);
    HOLDS(4, !acts || message[m].account == 0);
    HOLDS(6, !acts || isSigned);
    HOLDS(1, shown[0] == NOTHING || delivered == 0 || !isSigned || wasLost || id != 0 || message[m].account == 1
        || message[m].issued > issued || shown[0] != m + 1);
    HOLDS(2, id == 0 || shown[1] != m + 1 || !hadShown[m] || wasLost)
}

/* WithdrawalLedger.withdraw, and SharedNotifications.removeWithdrawn */
inline withdraw() {
    delivered = 1; i = 0;
    do
    :: i < 2 ->
        if
        :: (isSigned && entry[i] != NOTHING && i == 0) ->
            m = entry[i] - 1;
            if
            :: ACCOUNT(message[m].account) == 0 && IS_COVERED(m, issued) ->
                hadShown[m] = true;
#ifndef WITHOUT_MESSAGE_IDS
                t = m + 1;
                record(t)
#endif
            :: else -> skip
            fi
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
#ifndef WITHOUT_SIGNED_WITHDRAWALS
    if
    :: isSigned -> record(0)
    :: else -> skip
    fi;
#else
    record(0);
#endif
    remove();
    SAY("A withdrawal of account 0, issued at %d, arrives, signed %d.\n", issued, isSigned);
#ifdef WITHOUT_MEMORY
    i = 0;
    do
    :: i < 3 -> ledger[0].issued[i] = 0; i++
    :: else -> break
    od
#endif
}

inline remove() {
    i = 0;
    do
    :: i < 2 ->
        if
        :: entry[i] != NOTHING ->
            m = entry[i] - 1;
            find_withdrawal(m, i);
            if
            :: acts ->
                HOLDS(3, shown[i] == NOTHING || message[shown[i] - 1].account == 1
                    || message[shown[i] - 1].issued <= issued);
                HOLDS(4, shown[i] == NOTHING || message[shown[i] - 1].account == 0);
                HOLDS(6, isSigned);
                shown[i] = NOTHING; entry[i] = NOTHING
            :: else -> skip
            fi
        :: else -> skip
        fi;
        i++
    :: else -> break
    od
}

inline lose() {
    i = 0;
    do
    :: i < 3 -> ledger[0].issued[i] = 0; ledger[1].issued[i] = 0; ledger[0].end[i] = 0; ledger[1].end[i] = 0; i++
    :: else -> break
    od;
    entry[0] = NOTHING; entry[1] = NOTHING; start = now; wasLost = true; now++;
    SAY("The ledger is lost, and begins at %d.\n", start)
}

#define CLEAR m = 0; id = 0; i = 0; t = 0; acts = false

active proctype device() {
end:
    do
    :: atomic { sealed < MESSAGES && now < LAST;
        if :: m = 0 :: m = 1 fi;
        d_step { message[sealed].account = m; message[sealed].issued = now; sealed++; now++;
            SAY("Account %d seals message %d at %d.\n", m, sealed - 1, now - 1); CLEAR } }
    :: atomic { sealed > 0 && now < LAST; m = 0;
        do :: m + 1 < sealed -> m++ :: break od;
        if :: id = 0 :: id = 1 fi;
        d_step { if :: now <= message[m].issued + LATEST -> display() :: else -> skip fi; now++; CLEAR } }
    :: atomic { issued == 0 && now < LAST;
        if :: isSigned = true :: isSigned = false fi;
        d_step { issued = now; now++; SAY("A withdrawal is issued at %d.\n", issued) } }
    :: d_step { issued > 0 && delivered == 0 && now < LAST && !wasLost && now <= issued + 2 -> withdraw(); now++;
        CLEAR }
    :: d_step { now < LAST -> now++ }
    :: d_step { !wasLost && now < LAST -> lose(); CLEAR }
    od
}
