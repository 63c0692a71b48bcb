/*
Subject: The rotation of a device's keys, with a clock that jumps, an app that is off, lost answers, and late messages.

Code: Sources/PushCryptReceiver/Keys/ElapsedTime.swift: observe, maximumStep
Code: Sources/PushCryptReceiver/Keys/KeyDestruction.swift: observe, corrected, destroyExpiredKeys
Code: Sources/PushCryptReceiver/Keys/DeviceKeyring.swift: confirm
Code: Sources/PushCryptKeyring/Keyring+Lifecycle.swift: addPendingKey, promote, destroyKeys
Code: Sources/PushCryptKeyring/KeyLifetime.swift: clockTolerance
Code: Sources/PushCryptReceiver/Registering/KeyRotation.swift: prepare, confirm, maintain

Minimum: 100,000 states

Abstracted: One unit of time is a day. Messages live two days, and a key is due after four. The server's clock is right.
The device's clock changes twice. While a key is retired, the device's clock jumps forward twice at most, as
Docs/KeyManagement.md says. One key is retired at a time, and the app starts once a day, and after each change of the
clock. A message arrives at the end of its lifetime.

Property ROTATION-1: No retired key is destroyed while a message to it can arrive.
Property ROTATION-2: If the dates are the server's, the app destroys a retired key two days after its last message.
Property ROTATION-3: After a dated answer, the next start replaces a key that is due.

Variant WITHOUT_PENDING_KEYS breaks ROTATION-1: The app is killed before it registers, and the server seals to the old
  key.
Variant WITHOUT_STEP_LIMIT breaks ROTATION-1: The user sets the clock ahead, and the device destroys the key of late
  messages.
Variant WITHOUT_TOLERANCE breaks ROTATION-1: Two small jumps of the clock end a key before its last message.
Variant WITHOUT_SHIFT breaks ROTATION-1: A device that was off counts too few days, and the right date ends the key at
  once.
Variant WITHOUT_ANSWER_DATES breaks ROTATION-2: A thief copies the keys of a device that was off, and reads old
  messages.
Variant WITHOUT_MINIMUM breaks ROTATION-3: A key from the future never becomes old, and a thief reads on.
*/
#include "model.h"

#define START 20
#define LAST 31
#define CHANGES 2
#define LIFETIME 2
#define AGE 4
#ifdef WITHOUT_TOLERANCE
#define TOLERANCE 0
#else
#define TOLERANCE 2
#endif
#define JUMP 3

byte day = START, clock = START;
/* ElapsedTime */
byte seen, estimate;
/* The keyring. A date of 0 is a missing key. */
byte primary, pending, retired;
bool isDateKnown;
/* The server has replaced the primary key, or the retired one, on this day. */
byte changes;            /* Of the clock. */
bool hasPending;
bool isDated;            /* The server has dated the answer that has replaced the key, and the count was right. */
byte switched, confirmedOn, dueSince, jumps;
/* The day of the last dated answer, and whether the app has started today. */
byte dated; bool hasStarted;
byte counted, before;

/* Keyring.observe; `answer` is the server's date, or 0. */
inline observe(answer) {
#ifdef WITHOUT_STEP_LIMIT
    counted = estimate + (clock > seen -> clock - seen : 0);
#else
    counted = estimate + (clock > seen -> 1 : 0);
#endif
    before = estimate;
#ifdef WITHOUT_ANSWER_DATES
    estimate = counted;
#else
    estimate = (answer > 0 -> answer : counted);
#endif
    seen = clock;
#ifndef WITHOUT_MINIMUM
    primary = LEAST(primary, estimate);
#endif
#ifndef WITHOUT_SHIFT
    if
    :: retired > 0 && estimate != counted ->
        retired = (isDateKnown -> retired : retired + estimate - counted);
        isDateKnown = isDateKnown && retired <= estimate + 2;
        retired = (retired > estimate + 2 -> estimate : retired)
    :: else -> skip
    fi
#endif
}

/* Keyring.pruneByElapsedTime */
inline prune() {
    if
    :: retired > 0 && retired + LIFETIME + TOLERANCE <= estimate ->
        HOLDS(1, switched > 0 && day >= switched + LIFETIME);
        SAY("The retired key is destroyed.\n");
        retired = 0; switched = 0; confirmedOn = 0; jumps = 0; isDateKnown = false
    :: else -> skip
    fi
}

/* DeviceKeys.prepare */
inline prepare() {
    observe(0);
    prune();
    HOLDS(2, retired == 0 || !isDated || dated < confirmedOn + LIFETIME + 2);
    if
    :: pending == 0 && retired == 0 && estimate >= primary + AGE ->
#ifdef WITHOUT_PENDING_KEYS
        retired = estimate; primary = estimate; confirmedOn = day;
#else
        pending = estimate;
#endif
        SAY("The device adds a key.\n")
    :: else -> skip
    fi;
    HOLDS(3, dueSince == 0 || pending > 0 || retired > 0 || dated < dueSince + AGE + 1)
}

/* DeviceKeys.confirm */
inline confirm(answer) {
    observe(answer);
    dated = MOST(dated, answer);
    if
    :: pending > 0 ->
        retired = estimate; isDateKnown = answer > 0 && answer + 2 >= before;
        isDated = answer > 0 && before <= day + 2;
        primary = pending; pending = 0; confirmedOn = day; dueSince = 0; hasPending = false; jumps = 0
    :: else -> skip
    fi;
    dueSince = (answer > 0 && dueSince == 0 -> day : dueSince);
    SAY("The server confirms the key, dated %d.\n", answer)
}

inline receive() {
    if
#ifdef WITHOUT_PENDING_KEYS
    :: retired > 0 && switched == 0 -> switched = day
#else
    :: pending > 0 && !hasPending -> hasPending = true; switched = day
#endif
    :: else -> skip
    fi
}

#define CLEAR counted = 0; before = 0

active proctype device() {
    if
    :: skip
    :: clock = START + JUMP
    fi;
    d_step { seen = clock; estimate = clock; primary = clock; hasStarted = true };
end:
    do
    :: atomic { !hasStarted;
        d_step { hasStarted = true; SAY("Day %d: the app starts, and the clock shows %d.\n", day, clock); prepare();
            CLEAR };
        if
        :: SAY("The request is lost.\n")
        :: d_step { receive(); SAY("The answer is lost.\n") }
        :: d_step { receive(); confirm(0); CLEAR }
        :: d_step { receive(); confirm(day); CLEAR }
        fi }
    :: d_step { day < LAST -> day++; clock++; hasStarted = false }
    :: d_step { clock <= day && retired > 0 && jumps < 2 && changes < CHANGES ->
        changes++; clock = clock + JUMP; jumps++; hasStarted = false;
        SAY("The clock jumps ahead to %d.\n", clock) }
    :: d_step { clock > day && changes < CHANGES ->
        changes++; clock = day; hasStarted = false; SAY("The clock is right again.\n") }
    :: d_step { clock == day && retired == 0 && day > START + 2 && changes < CHANGES ->
        changes++; clock = clock - JUMP; hasStarted = false;
        SAY("The clock is set back to %d.\n", clock) }
    :: d_step { clock < day && jumps < 2 && changes < CHANGES ->
        changes++; clock = day; hasStarted = false; jumps = jumps + (retired > 0 -> 1 : 0);
        SAY("The clock is right again.\n") }
    od
}
