/*
Subject: Withdrawals and the ledger: late and copied messages, garbage, edits, kills, two accounts, little room, a lost
  ledger, and an attacker.

Code: Sources/PushCryptReceiver/Store/Ledger.swift: lookUp, verdict, show, leave, clear, settle
Code: Sources/PushCryptReceiver/Store/Ledger+Room.swift: put, leaving, give
Code: Sources/PushCryptReceiver/Store/Ledger+Withdrawals.swift: withdraw, acts, withdrawn
Code: Sources/PushCryptReceiver/Store/LookUp.swift: lookUp, recordInLedger
Code: Sources/PushCryptReceiver/Store/LedgerFile.swift: header
Code: Sources/PushCryptReceiver/Inbox/Decision.swift: decided, settled, answered
Code: Sources/PushCryptReceiver/Inbox/NotificationRemoval.swift: run, begin
Code: Sources/PushCryptReceiver/Keys/StoreEpoch.swift: StoreStart

Minimum: 1,000,000 states

Abstracted: The replay guard passes each copy, and knows that it's one. A message opens for two units of time, and a
withdrawal for one. The system displays and removes at once, and doubles stay (repeats.pml removes them). A withdrawal
names one identifier. One of a thread is easier, because a copy can't change its thread. An account has room for two
known messages that aren't displayed: as many as doubles of displayed ones can need. The ledger is lost once.
A stated limit: after the end of a message, its withdrawal may leave a copy that is displayed.

Property WITHDRAWAL-1: After a withdrawal, no earlier message of its identifier is displayed, however late it arrives.
Property WITHDRAWAL-2: After a withdrawal, no message that ever came under its identifier is displayed under another
  one.
Property WITHDRAWAL-3: A message that was issued after the withdrawal is displayed, and stays.
Property WITHDRAWAL-4: A withdrawal and many messages change no notification of another account.
Property WITHDRAWAL-5: After the ledger is lost, no earlier message is displayed.
Property WITHDRAWAL-6: An unsigned withdrawal changes nothing.

Variant WITHOUT_MEMORY breaks WITHDRAWAL-1: An attacker holds a message back until after its withdrawal.
Variant WITHOUT_LATEST_END breaks WITHDRAWAL-1: An attacker holds a message back until its withdrawal has expired.
Variant WITHOUT_MESSAGE_IDS breaks WITHDRAWAL-2: An attacker sends a copy with another collapse ID.
Variant WITHOUT_KNOWN_MESSAGES breaks WITHDRAWAL-2: Garbage or another message replaces the notification before its
  withdrawal, and an attacker sends a copy.
Variant WITHOUT_EARLY_KNOWLEDGE breaks WITHDRAWAL-2: The system kills the extension before the notification, and an
  attacker sends a copy after the withdrawal.
Variant WITHOUT_LATE_REMOVAL breaks WITHDRAWAL-2: A copy comes before its original, which comes after its withdrawal.
Variant WITHOUT_FORGOTTEN_TIME breaks WITHDRAWAL-2: Many messages displace what the ledger knows, and an attacker sends
  a copy.
Variant WITHOUT_WHOLE_MEMORY breaks WITHDRAWAL-2: Many copies displace the first identifier of a message, of which the
  ledger knows another one.
Variant WITHOUT_LISTED_LAST breaks WITHDRAWAL-2: Many messages displace what the ledger knows of a displayed copy.
Variant WITHOUT_ISSUE_TIMES breaks WITHDRAWAL-3: A late withdrawal removes the message that came after it.
Variant WITHOUT_LEDGER_ACCOUNTS breaks WITHDRAWAL-4: The server of one account removes another account's notifications.
Variant WITHOUT_REPLACING breaks WITHDRAWAL-4: A withdrawal removes the notification that has replaced its own.
Variant WITHOUT_BEGINNING breaks WITHDRAWAL-5: The user reinstalls the app, and an attacker displays withdrawn messages.
Variant WITHOUT_SIGNED_WITHDRAWALS breaks WITHDRAWAL-6: With the device's public key, an attacker hides notifications.
*/
#include "model.h"

#define MESSAGES 2
#define LAST 5
#define AGE 2
#define ROOM 2
/* Identifiers: 0 is the collapse ID, 1 another one, which an attacker can choose. */
#define NOTHING 0

/* The ledger's entries of a message, by identifier: none, known, or shown */
#define FREE 0
#define KNOWN 1
#define SHOWN 2

typedef Message { byte account, issued; byte entry[2]; bool admitted };
Message message[MESSAGES];
byte sealed, now = 1;
/* The ledger: the issue time and the end of the withdrawal of identifier 0, what an account forgets, and its start */
byte ledgerIssued, ledgerEnd, forgotten[2], start;

/* For the properties: what the user sees, the number of the message plus 1 by identifier, and what the user saw. */
byte shown[2], seen[2];
/* The identifiers under which each message has come. */
byte came[MESSAGES];
/* The withdrawal of account 0: 0 isn't sealed yet. When the ledger was lost */
byte issued, lostAt;
bool isSigned, hasArrived;

byte m, id, i, j, leaving, count;
bool acts, isPossible, isCopy;

#ifdef WITHOUT_LEDGER_ACCOUNTS
#define ACCOUNT(a) 0
#else
#define ACCOUNT(a) a
#endif
#ifdef WITHOUT_ISSUE_TIMES
#define IS_COVERED(n) true
#else
#define IS_COVERED(n) (message[n].issued <= ledgerIssued)
#endif
#ifdef WITHOUT_MESSAGE_IDS
#define NAMES(n, identifier) ((identifier) == 0)
#else
#define NAMES(n, identifier) ((identifier) == 0 || message[n].entry[0] != FREE)
#endif
/* Ledger.acts for a message under an identifier */
#define ACTS(n, identifier) (ledgerIssued > 0 && ledgerEnd >= now && ACCOUNT(message[n].account) == 0 && IS_COVERED(n) \
    && NAMES(n, identifier))
#define IS_LISTED(n) (message[n].entry[0] == SHOWN || message[n].entry[1] == SHOWN)
#ifdef WITHOUT_WHOLE_MEMORY
#define IS_COMPLETE(n) (message[n].entry[0] != FREE || message[n].entry[1] != FREE)
#else
#define IS_COMPLETE(n) IS_LISTED(n)
#endif
#define OPENS(n) (now <= message[n].issued + AGE)

/* What the withdrawal withdraws, by the properties: the truth. */
#define IS_WITHDRAWN(n) (hasArrived && isSigned && message[n].account == 0 && message[n].issued <= issued)

/* Ledger.put and Ledger.give: a message becomes known, and another one of the account may leave. */
inline put(n, identifier) {
    message[n].entry[identifier] = KNOWN;
    count = 0; leaving = 0; i = 0;
    do
    :: i < MESSAGES * 2 ->
        if
        :: message[i / 2].entry[i % 2] == KNOWN && ACCOUNT(message[i / 2].account) == ACCOUNT(message[n].account) ->
            count++;
#ifdef WITHOUT_LISTED_LAST
            leaving = (leaving == 0 || message[i / 2].issued < message[(leaving - 1) / 2].issued -> i + 1 : leaving)
#else
            leaving = (leaving == 0 || IS_LISTED((leaving - 1) / 2) && !IS_LISTED(i / 2)
                || IS_LISTED((leaving - 1) / 2) == IS_LISTED(i / 2)
                    && message[i / 2].issued < message[(leaving - 1) / 2].issued -> i + 1 : leaving)
#endif
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    if
    :: count > ROOM ->
        message[(leaving - 1) / 2].entry[(leaving - 1) % 2] = FREE;
#ifndef WITHOUT_FORGOTTEN_TIME
        forgotten[ACCOUNT(message[n].account)] = MOST(forgotten[ACCOUNT(message[n].account)],
            LEAST(message[(leaving - 1) / 2].issued, now));
#endif
        SAY("The ledger forgets message %d under %d.\n", (leaving - 1) / 2, (leaving - 1) % 2)
    :: else -> skip
    fi;
    i = 0; leaving = 0; count = 0
}

/* Ledger.leave: the notification at an identifier isn't the ledger's any more, and its message stays known. */
inline leave(identifier) { displace(identifier, MESSAGES) }
inline displace(identifier, next) {
    j = 0;
    do
    :: j < MESSAGES ->
        if
        :: message[j].entry[identifier] == SHOWN && j != next ->
#ifdef WITHOUT_KNOWN_MESSAGES
            message[j].entry[identifier] = FREE
#else
            put(j, identifier)
#endif
        :: else -> skip
        fi;
        j++
    :: else -> break
    od;
    j = 0
}

/* Ledger.verdict */
inline judge() {
    acts = ACTS(m, id);
    /* What the ledger knows of a displayed message is complete. */
    isPossible = !acts && isCopy && !IS_COMPLETE(m) && message[m].issued <= forgotten[ACCOUNT(message[m].account)];
#ifndef WITHOUT_BEGINNING
    isPossible = isPossible || !acts && start > 0 && message[m].issued <= start
#endif
}

/* LookUp, and NotificationRemoval.begin for what the arrival withdraws elsewhere */
inline look_up() {
    isCopy = message[m].admitted;
    message[m].admitted = true;
    came[m] = came[m] | BIT(id);
    judge();
#ifndef WITHOUT_EARLY_KNOWLEDGE
    if
    :: !isPossible && message[m].entry[id] == FREE -> put(m, id)
    :: else -> skip
    fi;
#endif
#ifndef WITHOUT_LATE_REMOVAL
    if
    :: acts -> remove()
    :: else -> skip
    fi
#endif
}

/* Decision.decided, and Ledger.show */
inline decide() {
    judge();
    if
    :: acts ->
        leave(id); shown[id] = NOTHING;
        SAY("Message %d isn't displayed under %d, because it's withdrawn.\n", m, id);
#ifdef WITHOUT_EARLY_KNOWLEDGE
        message[m].entry[id] = (message[m].entry[id] == FREE -> KNOWN : message[m].entry[id])
#endif
    :: isPossible ->
        leave(id); shown[id] = NOTHING; SAY("Message %d is possibly withdrawn.\n", m)
    :: else ->
        /* First, so that the message is listed when another one leaves. */
        message[m].entry[id] = SHOWN;
#ifndef WITHOUT_REPLACING
        displace(id, m);
#endif
        shown[id] = m + 1;
        SAY("Message %d of account %d is displayed under %d.\n", m, message[m].account, id)
    fi
}

#define IS_ALONE (message[0].account != message[1].account || sealed < MESSAGES)

inline deliver() {
    look_up();
    decide();
    check();
    /* An account with one message has room for it. So has a message that is new. */
    HOLDS(3, shown[id] == m + 1 || message[m].account != 0 || lostAt >= message[m].issued || isCopy && !IS_ALONE
        || !hasArrived || message[m].issued <= issued);
    HOLDS(4, shown[id] == m + 1 || message[m].account != 1 || lostAt >= message[m].issued || isCopy && !IS_ALONE);
    HOLDS(6, shown[id] == m + 1 || message[m].account != 0 || lostAt >= message[m].issued || isCopy && !IS_ALONE
        || isSigned && hasArrived);
    HOLDS(5, shown[id] != m + 1 || lostAt == 0 || message[m].issued > lostAt)
}

/* What the user sees now */
#define IS_WRONG(identifier) (shown[identifier] != NOTHING && IS_WITHDRAWN(shown[identifier] - 1) \
    && message[shown[identifier] - 1].issued > lostAt)
#define HAS_COME(n) (came[n] & 1)

inline check() {
    HOLDS(1, !IS_WRONG(0));
    HOLDS(2, !IS_WRONG(1) || !HAS_COME(shown[1] - 1) || !OPENS(shown[1] - 1));
}

/* Ledger.withdrawn, and NotificationRemoval.run */
inline remove() {
    j = 0;
    do
    :: j < MESSAGES * 2 ->
        if
        :: message[j / 2].entry[j % 2] == SHOWN && ACTS(j / 2, j % 2) ->
            message[j / 2].entry[j % 2] = KNOWN;
            shown[j % 2] = NOTHING
        :: else -> skip
        fi;
        j++
    :: else -> break
    od;
    j = 0
}

/* Ledger.withdraw */
inline withdraw() {
    seen[0] = shown[0]; seen[1] = shown[1];
    hasArrived = true;
#ifndef WITHOUT_SIGNED_WITHDRAWALS
    if
    :: isSigned ->
#endif
        ledgerIssued = issued;
#ifdef WITHOUT_LATEST_END
        ledgerEnd = issued + 1;
#else
        ledgerEnd = issued + AGE;
#endif
        remove();
#ifndef WITHOUT_SIGNED_WITHDRAWALS
    :: else -> skip
    fi;
#endif
    SAY("A withdrawal of account 0, issued at %d, arrives, signed %d.\n", issued, isSigned);
#ifdef WITHOUT_MEMORY
    ledgerIssued = 0;
#endif
    check();
    i = 0;
    do
    :: i < 2 ->
        HOLDS(3, shown[i] == seen[i] || message[seen[i] - 1].account != 0 || message[seen[i] - 1].issued <= issued);
        HOLDS(4, shown[i] == seen[i] || message[seen[i] - 1].account != 1);
        HOLDS(6, shown[i] == seen[i] || isSigned);
        i++
    :: else -> break
    od;
    i = 0; seen[0] = 0; seen[1] = 0
}

inline lose() {
    ledgerIssued = 0; ledgerEnd = 0; forgotten[0] = 0; forgotten[1] = 0;
    message[0].entry[0] = FREE; message[0].entry[1] = FREE; message[1].entry[0] = FREE; message[1].entry[1] = FREE;
    start = now; lostAt = now;
    SAY("The ledger is lost, and begins at %d.\n", start)
}

/* Time passes, and what has ended leaves the ledger. */
inline pass() {
    now++; i = 0;
    do
    :: i < MESSAGES * 2 ->
        message[i / 2].entry[i % 2] = (message[i / 2].entry[i % 2] == KNOWN && !OPENS(i / 2) -> FREE :
            message[i / 2].entry[i % 2]);
        i++
    :: else -> break
    od;
    i = 0;
    ledgerIssued = (ledgerEnd >= now -> ledgerIssued : 0);
    ledgerEnd = (ledgerEnd >= now -> ledgerEnd : 0);
    SAY("It's %d.\n", now)
}

#define CLEAR m = 0; id = 0; acts = false; isPossible = false; isCopy = false
#define CHOOSE_ID if :: id = 0 :: id = 1 fi
#define CHOOSE_MESSAGE m = 0; do :: m + 1 < sealed -> m++ :: break od

active proctype device() {
end:
    do
    :: atomic { sealed < MESSAGES;
        if :: m = 0 :: m = 1 fi;
        d_step { message[sealed].account = m; message[sealed].issued = now; sealed++;
            SAY("Account %d seals message %d at %d.\n", m, sealed - 1, now); CLEAR } }
    /* A message, a copy, or an edit: another message under the identifier */
    :: atomic { sealed > 0; CHOOSE_MESSAGE; CHOOSE_ID;
        if
        :: d_step { OPENS(m) -> deliver(); CLEAR }
        :: d_step { OPENS(m) -> look_up(); shown[id] = NOTHING; check();
            SAY("The system kills the extension over message %d under %d.\n", m, id); CLEAR }
        :: else -> CLEAR
        fi }
    /* A damaged or an unsealed push */
    :: atomic { sealed > 0; CHOOSE_ID;
        d_step { leave(id); shown[id] = NOTHING; SAY("Garbage replaces the notification under %d.\n", id); CLEAR } }
    :: d_step { shown[0] != NOTHING || shown[1] != NOTHING -> leave(0); leave(1); shown[0] = NOTHING;
        shown[1] = NOTHING; SAY("The app clears its notifications.\n"); CLEAR }
    :: atomic { shown[0] != NOTHING || shown[1] != NOTHING; CHOOSE_ID;
        d_step { shown[id] = NOTHING; SAY("The user removes the notification under %d.\n", id); CLEAR } }
    :: atomic { issued == 0;
        if :: isSigned = true :: isSigned = false fi;
        d_step { issued = now; SAY("A withdrawal is issued at %d.\n", issued) } }
    :: d_step { issued > lostAt && !hasArrived && now <= issued + 1 -> withdraw(); CLEAR }
    :: d_step { now < LAST -> pass(); CLEAR }
    :: d_step { lostAt == 0 -> lose(); CLEAR }
    od
}
