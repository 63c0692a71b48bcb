/*
Subject: Doubled pushes, two at once: an extension that the system can kill, a replay guard, receipts, the ledger, and
  the app's launch.

Code: Sources/PushCryptReceiver/Inbox/Decision.swift: decided, settled, answered
Code: Sources/PushCryptReceiver/Inbox/DisplayedComparison.swift: presented, kept
Code: Sources/PushCryptReceiver/Inbox/CatchingUp.swift: reopen, isCandidate
Code: Sources/PushCryptReceiver/Store/LookUp.swift: lookUp, record
Code: Sources/PushCryptReceiver/Store/SharedStore.swift: locked, withLedger
Code: Sources/PushCryptReceiver/Store/Ledger.swift: show, keep, occupant, isSettled, supersede, settle
Code: Sources/PushCryptReceiver/Inbox/NotificationRemoval.swift: beginDoubles, removeDoubles
Code: Sources/PushCryptReceiver/Opening/ReplayGuard.swift: answer

Minimum: 400,000 states

Abstracted: The second message is newer than the first one, and both share a collapse ID. Copies of the first one also
come under two other identifiers. Three pushes come, at most two at once. Look-up, reading the system's list, deciding
and removing doubles are separate steps. The hand-over follows the decision at once. The system displays a notification
some time after its hand-over, and its list doesn't have it until then. The hour ends once. The app keeps its
notifications sealed, and no deadline passes. A kill ends both requests, and the system displays their pushes itself,
also over readable text. The user removes one notification. Two stated limits: such a push of the newer message, which
no store has recorded, can be replaced, and a copy of the newer message keeps the older text that it finds.

Property REPEAT-1: Unless the system kills the extension, a copy never replaces readable text by a placeholder.
Property REPEAT-2: A copy never replaces the newer message with its collapse ID.
Property REPEAT-3: A message sounds once, and the app's code runs for it once.
Property REPEAT-4: After a copy, one notification displays the message, unless two pushes come at once or the system
  kills the extension.
Property REPEAT-5: A copy with another identifier never loses displayed text, even if the system kills the extension.
Property REPEAT-6: After the app's launch within the hour, one notification displays the message, or a newer message has
  replaced it.
Property REPEAT-7: An older text never replaces a newer one at an identifier.

Variant WITHOUT_SECOND_OPENING breaks REPEAT-1: A doubled push with a collapse ID replaces the text by the placeholder.
Variant WITHOUT_QUIET_RULE breaks REPEAT-2: A late copy reads the list before it has the newer message.
Variant WITHOUT_KEPT_CONTENT breaks REPEAT-2: An attacker replays a recorded push, which replaces the newer message.
Variant WITHOUT_SILENCE breaks REPEAT-3: An attacker makes the device sound again and again for an hour.
Variant WITHOUT_EARLY_RECORD breaks REPEAT-3: Two copies come at once, and both count as new.
Variant WITHOUT_DOUBLES breaks REPEAT-4: A doubled push without a collapse ID is displayed twice.
Variant WITHOUT_ORDER breaks REPEAT-5: The system kills the extension after it has removed the notification with the
  text.
Variant WITHOUT_CHECKED_REMOVAL breaks REPEAT-5: A newer message arrives before a copy removes its double.
Variant WITHOUT_LISTED_DOUBLES breaks REPEAT-6: The system kills the extension over a newer message, and a copy removes
  it.
Variant WITHOUT_SUPERSEDED breaks REPEAT-6: A kill after the hand-over leaves two notifications of the message.
Variant WITHOUT_WAITING_DOUBLES breaks REPEAT-6: The app is launched before the system displays the double.
Variant WITHOUT_OPENING_FIRST breaks REPEAT-6: The system kills the extension over a newer message that replaces a
  double, and the app removes it.
Variant WITHOUT_OCCUPANT breaks REPEAT-7: The older message arrives late, and replaces the newer one.
Variant WITHOUT_SETTLING breaks REPEAT-7: The system's list doesn't have the newer message yet, and the older one
  replaces it.
Variant WITHOUT_KEPT_RECORD breaks REPEAT-7: A copy keeps the newer text, which the user removes before, and the older
  message comes.
Variant WITHOUT_SECOND_READING breaks REPEAT-7: The newer message arrives after a copy has read the list, and the copy
  displays the older text.
*/
#include "model.h"

/* What the system displays under an identifier. PUSH and QUIET have no readable text. */
#define NOTHING 0
#define FIRST 1
#define SECOND 2
#define PUSH 3
#define QUIET 4
#define IDS 3
#ifndef PUSHES
#define PUSHES 3
#endif
mtype = { waiting, reading, deciding, removing };
#define IS_TEXT(c) ((c) == FIRST || (c) == SECOND)

/* What the user sees soon. A notification is fresh until the system's list has it instead of the earlier one. */
byte shown[IDS], earlier[IDS];
bool fresh[IDS];
byte sealed[IDS];       /* the message in the push of a notification */
/* The ledger: the message that was handed over under an identifier. */
byte entry[IDS];
bool superseded[IDS];
bool admitted[3], isLate;
byte pushes;
/* For each request: its identifier, with 1 added, and the entry there that its reading of the list must have. */
byte place[2], settled[2];
/* For the properties: what the user has heard, and whose text must be somewhere. */
byte sounds[3], runs[3];
bool came[3], owed[3], hasRemoved, wasKilled, together;
/* The system has killed the extension over a request. */
bool isDead[2];
byte k;

#define LISTED(i) (fresh[i] -> earlier[i] : shown[i])
#define SHOWS(message) ((shown[0] == message) + (shown[1] == message) + (shown[2] == message))
#define IS_IDLE (place[0] == 0 && place[1] == 0)
#define ALL_LISTED (!fresh[0] && !fresh[1] && !fresh[2])

/* The system replaces or removes a notification for another reason than a copy elsewhere. */
inline cover(i) {
    if
    :: IS_TEXT(shown[i]) && SHOWS(shown[i]) == 1 -> owed[shown[i]] = false
    :: else -> skip
    fi;
    owed[FIRST] = owed[FIRST] && m != SECOND;
    /* A killed push of the newer message, which no store has recorded, can be replaced. */
    came[SECOND] = came[SECOND] && (i != 0 || m == SECOND && content != FIRST
        || shown[0] == SECOND && content == SECOND)
}

/* The system removes a notification from its list. One that it doesn't display yet comes later. */
inline remove(i) {
    if
    :: fresh[i] -> earlier[i] = NOTHING
    :: else -> shown[i] = NOTHING
    fi
}

inline check_texts() {
    HOLDS(5, (!owed[FIRST] || SHOWS(FIRST) > 0) && (!owed[SECOND] || SHOWS(SECOND) > 0))
}

inline tell() {
    SAY("The notifications display %d, %d and %d (0 nothing, 1 and 2 messages, 3 and 4 placeholders).\n", shown[0],
        shown[1], shown[2])
}

inline kill() {
    cover(id);
    isDead[1 - _pid] = place[1 - _pid] != 0 && !isDead[_pid];
    shown[id] = PUSH; sealed[id] = m; fresh[id] = false; earlier[id] = NOTHING; wasKilled = true;
    check_texts();
    SAY("The system kills the extension over message %d under %d.\n", m, id); tell()
}

/* Ledger.show, without the occupant */
inline record(message, i) {
    k = 0;
    do
    :: k < IDS ->
#ifndef WITHOUT_SUPERSEDED
        superseded[k] = superseded[k] || (k != i && entry[k] == message);
#endif
        k++
    :: else -> break
    od;
    k = 0;
    entry[i] = message; superseded[i] = false;
    /* A reading of the list from before doesn't settle it. */
    settled[0] = (place[0] == i + 1 -> NOTHING : settled[0]);
    settled[1] = (place[1] == i + 1 -> NOTHING : settled[1])
}

/* The identifiers that display a message in the system's list. The ledger alone doesn't know of a kill over one. */
#ifdef WITHOUT_LISTED_DOUBLES
#define IS_DOUBLE(i) ((i) != id && (LISTED(i) == m || entry[i] == m))
#else
#define IS_DOUBLE(i) ((i) != id && LISTED(i) == m)
#endif
#define DOUBLES (IS_DOUBLE(0) | IS_DOUBLE(1) << 1 | IS_DOUBLE(2) << 2)

/* Ledger.occupant: another message at the identifier, which the reading of the list may lack */
#define IS_UNSETTLED (entry[id] != NOTHING && settled[_pid] != entry[id])
#ifdef WITHOUT_OCCUPANT
#define IS_OUTDATED false
#elif defined(WITHOUT_SETTLING)
#define IS_OUTDATED (m == FIRST && entry[id] == SECOND && IS_UNSETTLED && !hasRead)
#else
#define IS_OUTDATED (m == FIRST && entry[id] == SECOND && IS_UNSETTLED)
#endif
#ifdef WITHOUT_QUIET_RULE
#define WAITS false
#else
#define WAITS IS_UNSETTLED
#endif
#ifdef WITHOUT_SECOND_READING
#define KEEPS true
#else
#define KEEPS !(IS_UNSETTLED && entry[id] != own)
#endif
#ifdef WITHOUT_KEPT_CONTENT
#define IS_KEPT false
#else
#define IS_KEPT (hasRead && IS_TEXT(own) && (!isNew || own == SECOND && m == FIRST))
#endif
#define IS_QUIET (!isNew && isLate)

/* LookUp */
inline look_up() {
    isNew = !admitted[m];
#ifndef WITHOUT_EARLY_RECORD
    admitted[m] = true;
#endif
#ifdef WITHOUT_SILENCE
    runs[m]++;
#else
    runs[m] = runs[m] + (isNew -> 1 : 0);
#endif
    SAY("Message %d arrives under %d, new %d.\n", m, id, isNew)
}

/* DisplayedComparison.presented */
inline read_list() {
    own = LISTED(id);
    settled[_pid] = (fresh[id] -> NOTHING : entry[id]);
    doubles = DOUBLES;
    hasRead = true;
    SAY("The list has %d under %d.\n", own, id)
}

/* Decision.decided: the content, or another reading of the list */
inline decide() {
    content = NOTHING;
    if
#ifdef WITHOUT_SECOND_OPENING
    :: !isNew -> content = PUSH
#else
    :: !isNew && !hasRead -> skip
#endif
    :: else ->
        if
        :: IS_KEPT -> content = (KEEPS -> own : NOTHING)
        :: else ->
            if
            :: IS_QUIET -> content = (WAITS -> NOTHING : QUIET)
            :: else -> content = (IS_OUTDATED -> NOTHING : m)
            fi
        fi
    fi;
    doubles = (content == m && !IS_KEPT -> doubles : 0);
    if
#ifdef WITHOUT_KEPT_RECORD
    :: content == m && !IS_KEPT -> record(content, id)
#else
    :: IS_TEXT(content) -> record(content, id)
#endif
    :: content == QUIET || content == PUSH -> entry[id] = NOTHING; superseded[id] = false
    :: else -> skip
    fi;
    admitted[m] = true
}

inline hand_over() {
    HOLDS(1, isNew || !IS_TEXT(shown[id]) || IS_TEXT(content));
    HOLDS(2, isNew || shown[id] != SECOND || m != FIRST || content == SECOND);
    HOLDS(7, shown[id] != SECOND || content != FIRST);
#ifdef WITHOUT_SILENCE
    sounds[m] = sounds[m] + (content == m -> 1 : 0);
#else
    sounds[m] = sounds[m] + (content == m && isNew -> 1 : 0);
#endif
    HOLDS(3, sounds[m] <= 1 && runs[m] <= 1);
    earlier[id] = LISTED(id);
    cover(id);
    shown[id] = content; sealed[id] = NOTHING; fresh[id] = true;
    owed[m] = owed[m] || content == m;
    check_texts();
    tell()
}

inline remove_doubles() {
    k = 0;
    do
    :: k < IDS ->
        if
#ifdef WITHOUT_CHECKED_REMOVAL
        :: HAS(doubles, k) -> remove(k)
#else
        /* Of another message, or of none since. */
        :: HAS(doubles, k) && (superseded[k] || entry[k] == NOTHING) -> remove(k)
#endif
        :: else -> skip
        fi;
        k++
    :: else -> break
    od;
    k = 0; doubles = 0;
    check_texts()
}

inline begin() {
    pushes++; came[m] = true;
    together = together || !IS_IDLE || !ALL_LISTED;
    place[_pid] = id + 1; settled[_pid] = NOTHING
}

inline end_request() {
    HOLDS(4, together || wasKilled || hasRemoved || isNew || content != m || SHOWS(m) == 1);
    place[_pid] = 0; settled[_pid] = NOTHING; isDead[_pid] = false;
    m = 0; id = 0; content = 0; own = 0; doubles = 0; isNew = false; hasRead = false; phase = waiting
}

/* The app removes what the ledger calls a double. An entry stays until the system's list has had its notification. */
inline remove_superseded() {
    i = 0;
    do
    :: i < IDS ->
        if
        :: superseded[i] ->
            remove(i);
#ifdef WITHOUT_WAITING_DOUBLES
            superseded[i] = false; entry[i] = NOTHING
#else
            superseded[i] = fresh[i]; entry[i] = (fresh[i] -> entry[i] : NOTHING)
#endif
        :: else -> skip
        fi;
        i++
    :: else -> break
    od
}

/* CatchingUp.reopen: first what has no readable text, then the ledger's doubles. */
inline launch() {
#ifdef WITHOUT_OPENING_FIRST
    remove_superseded();
#endif
    i = 0;
    do
    :: i < IDS ->
        if
        :: shown[i] == PUSH ->
            id = i; m = sealed[i]; admitted[m] = true;
            doubles = DOUBLES;
            record(m, i); shown[i] = m; sealed[i] = NOTHING; owed[m] = true;
            remove_doubles()
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    remove_superseded();
    check_texts();
    HOLDS(6, isLate || hasRemoved || !IS_IDLE || !ALL_LISTED || (!came[FIRST] || SHOWS(FIRST) == 1
        || SHOWS(FIRST) == 0 && shown[0] == SECOND) && (!came[SECOND] || shown[0] == SECOND));
    wasKilled = wasKilled && !(IS_IDLE && ALL_LISTED);
    together = together && !(IS_IDLE && ALL_LISTED);
    i = 0; id = 0; m = 0;
    SAY("The app is launched.\n"); tell()
}

active [2] proctype extension() {
    byte m, id, content, own, doubles;
    bool isNew, hasRead;
    mtype phase = waiting;
end:
    do
    :: atomic { phase == waiting && pushes < PUSHES && (_pid == 0 || place[0] != 0) && !isDead[0] && !isDead[1];
        if :: m = FIRST :: m = SECOND fi;
        if :: id = 0 :: m == FIRST -> id = 1 :: m == FIRST -> id = 2 fi;
        if
        :: d_step { begin(); look_up(); phase = (isNew -> deciding : reading) }
        :: d_step { begin(); content = 0; kill(); end_request() }
        fi }
    :: d_step { phase == reading && !isDead[_pid] -> read_list(); phase = deciding }
    :: d_step { phase == deciding && !isDead[_pid] -> decide();
        if
        :: content == NOTHING -> phase = reading
        :: else ->
#ifdef WITHOUT_ORDER
            remove_doubles();
#endif
            hand_over(); phase = removing
        fi }
    /* The system kills the extension before or after the decision. */
    :: d_step { phase == reading || phase == deciding -> content = 0; kill(); end_request() }
    :: d_step { phase == deciding && !isDead[_pid] -> decide();
#ifdef WITHOUT_ORDER
        remove_doubles();
#endif
        content = 0; kill(); end_request() }
#ifdef WITHOUT_DOUBLES
    :: d_step { phase == removing -> end_request() }
#else
    :: d_step { phase == removing && !isDead[_pid] -> remove_doubles(); end_request() }
    :: d_step { phase == removing && (doubles != 0 || isDead[_pid]) -> wasKilled = true;
        isDead[1 - _pid] = place[1 - _pid] != 0 && !isDead[_pid];
        SAY("The system kills the extension.\n"); end_request() }
#endif
    od
}

active proctype device() {
    byte i, m, id, doubles;
end:
    do
    :: atomic { true;
        if :: i = 0 :: i = 1 :: i = 2 fi;
        if
        :: d_step { fresh[i] -> fresh[i] = false; earlier[i] = NOTHING;
            SAY("The list has the notification under %d.\n", i); i = 0 }
        :: d_step { !fresh[i] && IS_TEXT(shown[i]) && !hasRemoved ->
            hasRemoved = true; owed[shown[i]] = false; shown[i] = NOTHING;
            SAY("The user removes the notification under %d.\n", i); i = 0 }
        :: else -> i = 0
        fi }
    :: d_step { !isLate -> launch() }
    :: d_step { !isLate -> isLate = true; SAY("The hour ends.\n") }
    od
}
