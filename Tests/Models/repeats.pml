/*
Subject: Doubled pushes: an extension that the system can kill, a replay guard, receipts, the ledger, and the app's
  launch.

Code: Sources/PushCryptReceiver/Delivery/CopiedMessage.swift: presented
Code: Sources/PushCryptReceiver/Delivery/NotificationPipeline.swift: gate, admit, decide
Code: Sources/PushCryptReceiver/Delivery/NotificationOpener.swift: original, replayed
Code: Sources/PushCryptReceiver/Delivery/Reopening.swift: reopen, isCandidate
Code: Sources/PushCryptReceiver/Withdrawals/WithdrawalLedger.swift: supersede
Code: Sources/PushCryptReceiver/Withdrawals/SharedNotifications.swift: beginRemovingDoubles
Code: Sources/PushCryptReceiver/Opening/ReplayGuard.swift: answer

Minimum: 300 states

Abstracted: Two messages share a collapse ID, and copies of the first one also come under two other identifiers. The
hour ends once. The extension handles one push at a time, and the app keeps its notifications sealed. If the system
kills the extension, it displays the push itself, also over a readable text. The user removes nothing.

Property REPEAT-1: Unless the system kills the extension, a copy never replaces a readable text by a placeholder.
Property REPEAT-2: A copy never replaces the newer message with its collapse ID.
Property REPEAT-3: A message sounds once, and the app's code runs for it once.
Property REPEAT-4: After the hand-over of a copy, one notification displays the message, unless the system kills the
  extension.
Property REPEAT-5: A kill over a copy with another identifier never loses a displayed text.
Property REPEAT-6: After the app's launch within the hour, one notification displays the message.

Variant WITHOUT_SECOND_OPENING breaks REPEAT-1: A doubled push with a collapse ID replaces the text by the placeholder.
Variant WITHOUT_KEPT_CONTENT breaks REPEAT-2: An attacker replays a recorded push, which replaces the newer message.
Variant WITHOUT_SILENCE breaks REPEAT-3: An attacker makes the device sound again and again for an hour.
Variant WITHOUT_DOUBLES breaks REPEAT-4: A doubled push without a collapse ID is displayed twice.
Variant WITHOUT_ORDER breaks REPEAT-5: The system kills the extension after it has removed the notification with the
  text.
Variant WITHOUT_SUPERSEDED breaks REPEAT-6: A kill after the hand-over leaves two notifications of the message.
*/
#include "model.h"

/* What the system displays under an identifier. PUSH and QUIET have no readable text. */
#define NOTHING 0
#define FIRST 1
#define SECOND 2
#define PUSH 3
#define QUIET 4
#define IDS 3
#define IS_TEXT(c) ((c) == FIRST || (c) == SECOND)

mtype = { none, atTheStart, beforeTheHandOver, afterTheHandOver };

byte shown[IDS];
byte sealed[IDS];       /* the message in the push of a notification */
bool superseded[IDS];   /* in the ledger */
byte entry[IDS];
bool admitted[3], isLate;
byte sounds[3], runs[3];
byte pushes;
byte m, id, i, content, earlier, count, texts;
bool isNew;
mtype kill;

#define CLEAR m = 0; id = 0; i = 0; content = 0; earlier = 0; count = 0; texts = 0; isNew = false; kill = 0

inline count_texts(message) {
    count = 0; i = 0;
    do
    :: i < IDS -> count = count + (shown[i] == message -> 1 : 0); i++
    :: else -> break
    od;
    i = 0
}

/* ReplayGuard.answer, CopiedMessage.presented: the content for message m under id */
inline open() {
    isNew = !admitted[m];
    admitted[m] = true;
    if
    :: isNew -> runs[m]++; content = m
#ifdef WITHOUT_SECOND_OPENING
    :: !isNew -> content = PUSH
#else
    :: !isNew ->
#ifdef WITHOUT_SILENCE
        runs[m]++;
#endif
        if
#ifndef WITHOUT_KEPT_CONTENT
        :: IS_TEXT(shown[id]) -> content = shown[id]
        :: !IS_TEXT(shown[id]) && !isLate -> content = m
        :: !IS_TEXT(shown[id]) && isLate -> content = QUIET
#else
        :: !isLate -> content = m
        :: isLate -> content = QUIET
#endif
        fi
#endif
    fi
}

/* WithdrawalLedger.show */
inline record() {
    if
    :: content == m ->
        entry[id] = m; superseded[id] = false;
        i = 0;
        do
        :: i < IDS ->
#ifndef WITHOUT_SUPERSEDED
            superseded[i] = superseded[i] || (i != id && entry[i] == m);
#endif
            i++
        :: else -> break
        od;
        i = 0
    :: content != m && content != shown[id] -> entry[id] = NOTHING; superseded[id] = false
    :: else -> skip
    fi
}

inline remove_doubles() {
    i = 0;
    do
    :: i < IDS ->
        if
        :: i != id && shown[i] == m && content == m -> shown[i] = NOTHING; entry[i] = NOTHING; superseded[i] = false
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    i = 0
}

inline deliver() {
    SAY("Message %d arrives under %d, kill %e.\n", m, id, kill);
    earlier = shown[id];
    count_texts(m); texts = count;
    if
    :: kill == atTheStart -> shown[id] = PUSH; sealed[id] = m
    :: else ->
        open();
        record();
#ifdef WITHOUT_ORDER
        remove_doubles();
#endif
        if
        :: kill == beforeTheHandOver -> shown[id] = PUSH; sealed[id] = m
        :: else ->
            shown[id] = content; sealed[id] = m;
#ifdef WITHOUT_SILENCE
            sounds[m] = sounds[m] + (IS_TEXT(content) -> 1 : 0);
#else
            sounds[m] = sounds[m] + (isNew -> 1 : 0);
#endif
#ifndef WITHOUT_DOUBLES
            if
            :: kill == none -> remove_doubles()
            :: else -> skip
            fi;
#endif
            HOLDS(1, !IS_TEXT(earlier) || IS_TEXT(shown[id]));
            HOLDS(2, earlier != SECOND || m != FIRST || isNew || shown[id] == SECOND);
            count_texts(m);
            HOLDS(4, kill != none || content != m || count == 1)
        fi
    fi;
    HOLDS(3, sounds[m] <= 1 && runs[m] <= 1);
    count_texts(m);
    HOLDS(5, texts == 0 || earlier == m || count > 0);
    SAY("The notifications display %d, %d and %d (0 nothing, 1 and 2 messages, 3 and 4 placeholders).\n", shown[0],
        shown[1], shown[2])
}

/* NotificationOpener.reopen: first the ledger's doubles, then what has no readable text. */
inline launch() {
    id = 0;
    do
    :: id < IDS ->
        if
        :: superseded[id] -> shown[id] = NOTHING; entry[id] = NOTHING; superseded[id] = false
        :: else -> skip
        fi;
        id++
    :: else -> break
    od;
    id = 0;
    do
    :: id < IDS ->
        if
        :: shown[id] == PUSH ->
            m = sealed[id]; admitted[m] = true; content = m;
            record(); shown[id] = m; remove_doubles()
        :: else -> skip
        fi;
        id++
    :: else -> break
    od;
    m = FIRST; count_texts(m);
    HOLDS(6, isLate || !admitted[FIRST] || count == 1 || shown[0] == SECOND);
    SAY("The app is launched: the notifications display %d, %d and %d.\n", shown[0], shown[1], shown[2])
}

active proctype device() {
end:
    do
    :: atomic { pushes < 4;
        if :: m = FIRST :: m = SECOND fi;
        if :: id = 0 :: m == FIRST -> id = 1 :: m == FIRST -> id = 2 fi;
        if :: kill = none :: kill = atTheStart :: kill = beforeTheHandOver :: kill = afterTheHandOver fi;
        d_step { pushes++; deliver(); CLEAR } }
    :: d_step { !isLate -> launch(); CLEAR }
    :: d_step { !isLate -> isLate = true; SAY("The hour ends.\n") }
    od
}
