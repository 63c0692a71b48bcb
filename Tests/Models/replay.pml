/*
Subject: The replay guard, with lost, restored and foreign files, a wrong clock and an attacker who replays.

Code: Sources/PushCryptReceiver/Store/FileReplayGuard.swift: admit, prepare, header
Code: Sources/PushCryptReceiver/Opening/ReplayGuard.swift: place, answer, repeatPeriod
Code: Sources/PushCryptReceiver/Opening/Freshness.swift: maximumAge, check
Code: Sources/PushCryptReceiver/Opening/GuardedMessage.swift: isSealedToKey
Code: Sources/PushCryptReceiver/Keys/StoreEpoch.swift: StoreStart
Code: Sources/PushCryptReceiver/Store/SharedStore.swift: prepare
Code: Sources/PushCryptReceiver/Keys/DeviceSecretsStore.swift: readOrCreate

Minimum: 900,000 states

Abstracted: One unit of time is an hour, and each message is issued in an hour of its own. A guard has room for one
message of each account. Cryptography is perfect. A loss takes an hour. A new key is created after a loss, if the clock
was never wrong. Each run has a wrong clock or lost files with up to three messages, or both with up to two. With a
wrong clock, the run begins with a launch.

Property REPLAY-1: While the clock is right and the files stay, a message alerts once.
Property REPLAY-2: After the files are lost, a message that has alerted doesn't alert again.
Property REPLAY-3: After another device's files are copied, a message that has alerted doesn't alert again.
Property REPLAY-4: A clock that is set back doesn't let a message alert again.
Property REPLAY-5: A new message opens at once after a launch with the right clock, even if an attacker dates messages.
Property REPLAY-6: A message to an account with few messages opens, even if others get many.
Property REPLAY-7: The app's first launch rejects no message that was sent before.
Property REPLAY-8: After a loss, a message to a newer key opens, even if its server's clock is behind.
Property REPLAY-9: A copy within the hour is a repeated message.
Property REPLAY-10: A copy after the hour isn't a repeated message.

Variant WITHOUT_IDS breaks REPLAY-1: An attacker delivers a recorded push again.
Variant WITHOUT_ISSUE_LIMIT breaks REPLAY-1: An attacker waits until newer messages displace the message, and replays
  it.
Variant WITHOUT_EPOCH breaks REPLAY-2: The user reinstalls the app, and an attacker replays recorded pushes.
Variant WITHOUT_COMPARISON breaks REPLAY-3: A program copies another device's files, and an attacker replays recorded
  pushes.
Variant WITHOUT_EXPIRATION_LIMIT breaks REPLAY-4: An attacker sets the clock back, and replays a message that had
  expired.
Variant WITHOUT_FUTURE_RULE breaks REPLAY-5: An anonymous sender dates messages in the future, which shuts out all
  others.
Variant WITHOUT_CORRECTION breaks REPLAY-5: A clock ahead at the loss shuts out messages for as long as it was ahead.
Variant WITHOUT_ACCOUNTS breaks REPLAY-6: An attacker floods one account, and messages of the other one are rejected.
Variant WITHOUT_ADOPTION breaks REPLAY-7: The first launch begins the extension's file, and rejects waiting messages.
Variant WITHOUT_NEWER_KEYS breaks REPLAY-8: A reinstalled app shows fallbacks until its server's slow clock has passed
  the launch.
Variant WITHOUT_REPEATS breaks REPLAY-9: A server repeats a push after a lost answer, and the copy replaces the text.
Variant WITHOUT_HOUR breaks REPLAY-10: An attacker displays an old message again and again.
*/
#include "model.h"

#ifdef TRACE
#define MESSAGES 12
#define LAST 60
#define CLOCKS 4
#define LOSSES 3
#define STEPS 40
#define CAPACITY 2
#define AGE 4
#else
#define MESSAGES 3
#define LAST 9
#define CLOCKS 2
#define LOSSES 1
#define STEPS 255
#define CAPACITY 1
#define AGE 2        /* for a lifetime of an hour */
#endif
#define FIRST 5
#define HOUR 1
#define FUTURE 40

#define NONE 0
#define OURS 1
#define OTHERS 2

mtype = { new, repeated, replayed, possiblyReplayed, expired };

typedef Message { byte account, issued, expiration, key, alerts, alerted; bool seen, excused, lost, copied, before };
/* A replay guard's file. A record has the number of its message, counted from 1. */
typedef File {
    bool exists; byte epoch, start, issued, expiration, count; byte record[CAPACITY]; byte admitted[CAPACITY]
};

Message message[MESSAGES];
File file[2];
byte secrets = NONE;
byte created[2];
byte key;
byte real = FIRST, now = FIRST;     /* the true time, and the device's */
byte sealed, clocks, losses, steps, messages = MESSAGES;
byte total[2];
/* The app was launched with the right clock since the last loss or change of the clock, and since when. */
bool settled; byte launched;
bool wasLost, wasWrong, wasAhead, hasFuture;

byte m, kind, account;
byte i, place, found, f, newer;
mtype answer;

#include "replay_guard.h"

inline deliver() {
    if
    :: now > message[m].expiration -> answer = expired
    :: else ->
        admit();
        judge()
    fi;
    SAY("An attacker or the server delivers message %d at %d: %e.\n", m, now, answer);
    EVENT("{'event':'deliver','message':%d,'now':%d,'answer':'%e'}\n", m, now, answer)
}

inline judge() {
    if
    :: answer == new ->
        message[m].alerts++;
        HOLDS(2, message[m].alerts < 2 || message[m].excused || !message[m].lost);
        HOLDS(3, message[m].alerts < 2 || message[m].excused || !message[m].copied);
        HOLDS(4, message[m].alerts < 2 || message[m].excused || message[m].lost || message[m].copied || !wasWrong);
        HOLDS(1, message[m].alerts < 2 || message[m].excused || message[m].lost || message[m].copied || wasWrong);
        message[m].alerts = 1;
        message[m].alerted = (wasWrong -> 0 : real)
    :: else ->
        HOLDS(5, message[m].seen || message[m].issued != real || now != real || !settled
            || message[m].issued <= launched || (hasFuture && wasAhead));
        HOLDS(6, message[m].seen || wasLost || wasWrong || total[message[m].account] > CAPACITY || message[m].before);
        HOLDS(7, message[m].seen || wasLost || wasWrong || total[message[m].account] > CAPACITY || !message[m].before);
        HOLDS(8, message[m].seen || wasWrong || !wasLost || !settled || total[message[m].account] > CAPACITY
            || message[m].key == 0 || created[1] < launched)
    fi;
    HOLDS(9, answer == repeated || !message[m].seen || message[m].alerts == 0 || wasWrong || wasLost
        || real - message[m].alerted > HOUR || total[message[m].account] > CAPACITY);
    HOLDS(10, answer != repeated || wasWrong || real - message[m].alerted <= HOUR);
    message[m].seen = true
}

/* SharedStore.prepare, which the app calls at each launch. */
inline launch() {
    newer = secrets == NONE;
    secrets = OURS;
    if
    :: newer ->
        i = 0;
        do
        :: i < sealed -> message[i].before = true; i++
        :: else -> break
        od
    :: else -> skip
    fi;
    f = 0;
    do
    :: f < 2 ->
        open_file(newer);
#ifndef WITHOUT_CORRECTION
        if
        :: file[f].start > now -> file[f].start = now; excuse()
        :: else -> skip
        fi;
#endif
        f++
    :: else -> break
    od;
    settled = now == real;
    launched = (settled -> real : launched);
    SAY("The app is launched at %d by its clock.\n", now);
    EVENT("{'event':'launch','now':%d}\n", now)
}

inline forget_files(other) {
    f = 0;
    do
    :: f < 2 ->
        file[f].exists = other; file[f].epoch = (other -> OTHERS : NONE);
        file[f].start = 0; file[f].issued = 0; file[f].expiration = 0; file[f].count = 0;
        i = 0;
        do
        :: i < CAPACITY -> file[f].record[i] = 0; file[f].admitted[i] = 0; i++
        :: else -> break
        od;
        f++
    :: else -> break
    od;
    i = 0;
    do
    :: i < sealed -> message[i].lost = message[i].lost || !other; message[i].copied = message[i].copied || other; i++
    :: else -> break
    od;
    settled = false; wasLost = true; losses++; real++; now++
}

/* Kinds of dates: 0 right, 1 an hour behind, 2 far in the future. */
inline seal_message() {
    m = sealed;
    message[m].account = account;
    message[m].issued = (kind == 0 -> real : (kind == 1 -> real - 1 : real + FUTURE));
    message[m].expiration = message[m].issued + AGE;
    message[m].key = key;
    hasFuture = kind == 2 || hasFuture;
    total[account] = LEAST(total[account] + 1, CAPACITY + 1);
    sealed++;
    SAY("At %d, a sender seals message %d to account %d and key %d, issued at %d.\n", real, m, account, key,
        message[m].issued);
    EVENT("{'event':'seal','message':%d,'account':%d,'key':%d,'issued':%d,'expiration':%d}\n", m, account, key,
        message[m].issued, message[m].expiration)
}

inline set_clock(value) {
    now = value; clocks++; settled = false;
    wasWrong = true; total[0] = CAPACITY + 1; total[1] = CAPACITY + 1; wasAhead = wasAhead || now > real;
    SAY("The device's clock shows %d.\n", now);
    EVENT("{'event':'clock','now':%d}\n", now)
}

/* Variables of a single step aren't part of a state. */
#define CLEAR account = 0; kind = 0; m = 0; i = 0; place = 0; found = 0; f = 0; newer = 0; answer = 0

#define MORE (steps < STEPS)
#ifdef TRACE
#define COUNT steps++;
#else
#define COUNT
#endif

active proctype device() {
    EVENT("{'event':'begin','now':%d}\n", now);
#ifndef TRACE
    if
    :: d_step { losses = LOSSES; launch(); CLEAR }
    :: clocks = CLOCKS
    :: d_step { messages = 2; launch(); CLEAR }
    fi;
#endif
end:
    do
    :: atomic { MORE && sealed < messages && real < LAST ->
        if :: account = 0 :: account = 1 fi;
        if :: kind = 0 :: key == 1 -> kind = 1 :: account == 1 -> kind = 2 fi;
        d_step { COUNT real++; now++; seal_message(); CLEAR } }
    :: atomic { MORE && sealed > 0 -> m = 0;
        do :: m + 1 < sealed -> m++ :: break od;
        d_step { COUNT deliver(); CLEAR } }
    :: d_step { MORE && real < LAST -> COUNT real++; now++ }
    :: d_step { MORE && !settled -> COUNT launch(); CLEAR }
    :: d_step { MORE && secrets != NONE && losses < LOSSES && real < LAST -> COUNT forget_files(false); CLEAR;
        SAY("The files are lost.\n"); EVENT("{'event':'lose'}\n") }
    :: d_step { MORE && secrets != NONE && losses < LOSSES && real < LAST -> COUNT forget_files(true); CLEAR;
        SAY("The files of another device are copied.\n"); EVENT("{'event':'copy'}\n") }
    :: d_step { MORE && clocks < CLOCKS && now == real -> COUNT set_clock(real - 3) }
    :: d_step { MORE && clocks < CLOCKS && now == real -> COUNT set_clock(real + 4) }
    :: d_step { MORE && clocks < CLOCKS && now != real -> COUNT set_clock(real) }
#ifdef TRACE
    :: atomic { MORE && sealed > 0 -> m = sealed - 1;
        do :: m > 0 && m + 3 > sealed -> m-- :: break od;
        d_step { COUNT deliver(); CLEAR } }
    :: d_step { MORE && key == 0 && secrets != NONE
#else
    :: d_step { MORE && key == 0 && !wasWrong && wasLost && settled
#endif
        -> COUNT key = 1; created[1] = now;
        SAY("The device creates a key at %d.\n", now); EVENT("{'event':'key','created':%d}\n", now) }
    od
}
