/*
Subject: Registration with generations: a device and its backups, its server, a thief of the session, a bad network.

Code: Sources/PushCryptSender/Recipients/Recipient.swift: init, checkGeneration, replacedKey
Code: Sources/PushCryptSender/Recipients/FormerKey.swift: current, isRejected
Code: Sources/PushCryptReceiver/Keys/DeviceKeyring.swift: followGeneration, confirm, renew, setOwner
Code: Sources/PushCryptKeyring/Registration.swift: maximumGrowth
Code: Sources/PushCryptReceiver/Registering/KeyRotation.swift: prepare, registration, setOwner
Code: Sources/PushCryptReceiver/Registering/RegistrationMachine.swift: step, settle, begin, answered, isKnown
Code: Sources/PushCryptReceiver/Registering/RegistrationStore.swift: update

Minimum: 500,000 states

Abstracted: Time doesn't pass: a rotation is due when the model says so, former keys are remembered forever, and no key
is destroyed (rotation.pml has these). The largest generation is 120 instead of 2^53, the growth 12 instead of 2^32, and
the first generation at most 40 instead of 2^52. The thief registers a key of the thief's own, or one that the server
has replaced. There are no proofs (proof.pml has them). A server that is set back forgets what it has promised, and so
does one that deletes a row. A late request is the last one, or an earlier one of at most one in the network, and
doesn't arrive after the device has lowered its generation.

Property REG-1: The generation of a row never falls.
Property REG-2: The server never returns to a key that it has replaced.
Property REG-3: A row changes its key only with a higher generation.
Property REG-4: If the app holds its registration for confirmed, the device has the key of the row.
Property REG-5: If no request is lost, the app's start registers the device's newest key, even after a thief's requests.
Property REG-6: After a confirmed renewal, no row of the device's token has a key from before it.

Variant WITHOUT_GENERATIONS breaks REG-1: A late request replaces the registration that came after it.
Variant WITHOUT_FORMER_KEYS breaks REG-2: A thief of the session registers a replaced key, which has leaked.
Variant WITHOUT_ONE_KEY breaks REG-3: A device of an old backup reuses a generation for another key.
Variant WITHOUT_FORGETTING breaks REG-4: An answer is lost, a backup comes back, and the app doesn't register its old
  key.
Variant WITHOUT_NEW_KEY breaks REG-5: A device of an old backup raises its generation alone, and its key is rejected.
Variant WITHOUT_GROWTH_LIMIT breaks REG-5: A thief registers the highest generation, which locks the owner out.
Variant WITHOUT_FIRST_LIMIT breaks REG-5: A thief registers the highest generation before the owner's first request.
Variant WITHOUT_FOLLOWING breaks REG-5: The server is set back so far that it rejects the device's generation.
Variant WITHOUT_REINSTALLATION breaks REG-6: A reinstalled app registers its leaked keys with a new token.
Variant WITHOUT_NEWEST_KEYRING breaks REG-6: After a renewal, a restored backup makes the server seal to the leaked key.
*/
#include "model.h"

/* An old backup is recognized by neither side. */
#ifdef WITHOUT_NEWEST_KEYRING
#define WITHOUT_NEW_KEY
#define WITHOUT_FORMER_KEYS
#endif

#ifdef TRACE
#define KEYS 29
#define BUDGET 14
#define HIGHEST 255
#define GROWTH 100
#define FIRST 400
#define MASK int
#else
#define KEYS 8
#define BUDGET 4
#define HIGHEST 120
#define GROWTH 12
#define FIRST 40
#define MASK byte
#endif
/* The key of the thief. */
#define THIEF 0

mtype = { working, losesRequest, losesAnswer };

/* A generation of 0 is a missing row or keyring. */
typedef Row { byte generation, key; MASK former };
typedef Keyring { byte generation, primary, pending, owner; MASK keys };

Row row[2], firstRow;
Keyring ring, backup;
/* The registrar's file. */
bool confirmed; byte knownKey, knownToken;
byte installation, token, lastKey, budget, starts;
/* A request that may come again. */
byte oldKey, oldGeneration, oldToken;
bool hasOld;

/* What the server has replaced, the keys from before a renewal, and those of a confirmed renewal. */
MASK replacedKeys, before, leaked;
/* A thief or a late request has changed the row since the last confirmation, and the server was set back. */
bool disturbed, setBack;

byte key, generation, known, requests;
mtype network;
bool stale, failed;

#include "registration_server.h"

/* Keyring.addPendingKey, after the pending key is retired */
inline add_key() {
    ring.generation = ring.generation + (ring.pending > 0 -> 2 : 1);
    lastKey++;
    ring.pending = lastKey;
    ring.keys = ring.keys | BIT(lastKey)
}

/* DeviceKeys.prepare and DeviceKeys.registration */
inline prepare() {
    if
    :: ring.generation == 0 ->
        lastKey++;
        ring.generation = 1; ring.primary = lastKey; ring.keys = BIT(lastKey)
    :: ring.generation > 0 && ring.owner != installation ->
        ring.generation++;
#ifndef WITHOUT_REINSTALLATION
        add_key()
#endif
    :: else -> skip
    fi;
    ring.owner = installation;
    read_registration()
}

inline read_registration() {
    key = (ring.pending > 0 -> ring.pending : ring.primary);
    generation = ring.generation
}

/* Keyring.followGeneration */
inline follow() {
    if
    :: known >= HIGHEST - 2 * GROWTH -> failed = true
    :: known < HIGHEST - 2 * GROWTH && known >= ring.generation ->
#ifndef WITHOUT_NEW_KEY
        add_key();
#endif
        ring.generation = known + 1
#ifndef WITHOUT_FOLLOWING
    :: known < HIGHEST - 2 * GROWTH && known < ring.generation && ring.generation - known > GROWTH ->
        hasOld = false;
        ring.generation = known + 1
#endif
    :: else -> skip
    fi;
    read_registration()
}

/* RegistrationMachine.begin, and the server's answer */
inline request() {
    requests++;
#ifndef WITHOUT_FORGETTING
    confirmed = false;
#endif
    if
    :: network == losesRequest -> failed = true; stale = false
    :: else -> receive(key, generation, token)
    fi;
    failed = failed || network == losesAnswer;
    SAY("The device registers key %d in generation %d, %e.\n", key, generation, network);
    EVENT("{'event':'request','network':'%e','generation':%d,'key':%d,'isStale':%d,'known':%d}\n", network,
        generation, key, stale, (stale -> known : 0))
}

/* RegistrationMachine.answered and KeyRotation.confirm */
inline confirm() {
    if
    :: ring.pending == key -> ring.generation++; ring.primary = key; ring.pending = 0
    :: else -> skip
    fi;
    confirmed = true; knownKey = key; knownToken = token;
    disturbed = false;
    if
    :: before != 0 && !HAS(before, key) -> leaked = leaked | before; before = 0
    :: else -> skip
    fi
}

#define IS_KNOWN (confirmed && knownKey == key && knownToken == token)
#define IS_DARK (!HAS(ring.keys, row[token].key))
/* Variables of a single step aren't part of a state. */
#define CLEAR key = 0; generation = 0; known = 0; requests = 0; network = 0; stale = false; failed = false

#ifdef TRACE
#define CHOOSE_NETWORK if :: network = working :: network = working :: network = losesRequest :: network = losesAnswer \
    fi
#else
#define CHOOSE_NETWORK if :: network = working :: network = losesRequest :: network = losesAnswer fi
#endif

/* RegistrationMachine.settle: one request, and a second one after a stale answer. */
inline start() {
    d_step { prepare() };
    if
    :: IS_KNOWN -> d_step { HOLDS(4, disturbed || setBack || !IS_DARK) }
    :: else ->
        CHOOSE_NETWORK;
        d_step { request() };
        if
        :: !failed && stale ->
            d_step { follow(); HOLDS(5, !failed) };
            CHOOSE_NETWORK;
            d_step { request(); HOLDS(5, failed || !stale) }
        :: else -> skip
        fi;
        remember();
        d_step {
            if
            :: !failed && !stale -> confirm(); HOLDS(5, row[token].key == ring.primary && ring.pending == 0)
            :: else -> skip
            fi
        }
    fi;
    d_step { CLEAR; tell() }
}

/* The network may deliver the last request again. */
inline remember() {
    if :: hasOld = true; oldKey = key; oldGeneration = generation; oldToken = token :: skip fi
}

inline tell() {
    SAY("The device has generation %d, key %d, pending %d; the server has generation %d, key %d.\n", ring.generation,
        ring.primary, ring.pending, row[token].generation, row[token].key);
    EVENT("{'event':'state','generation':%d,'primary':%d,'pending':%d,'rowGeneration':%d,'rowKey':%d}\n",
        ring.generation, ring.primary, ring.pending, row[token].generation, row[token].key)
}

inline copy_ring(to, from) {
    to.generation = from.generation; to.primary = from.primary; to.pending = from.pending; to.keys = from.keys;
    to.owner = from.owner
}

/* The thief registers with the session, in a generation of the thief's choice. */
inline thief() {
    receive(key, generation, token);
    disturbed = disturbed || !stale;
    SAY("A thief registers key %d in generation %d.\n", key, generation);
    EVENT("{'event':'thief','key':%d,'generation':%d,'isStale':%d,'known':%d}\n", key, generation, stale,
        (stale -> known : 0))
}

#define IF(condition) budget < BUDGET && (condition) -> budget++
#define HAS_ROOM (lastKey + 2 < KEYS)
#ifdef TRACE
#define MAY_START starts < 12 -> starts++
#define MAY_STEAL (starts % 3 == 2)
#else
#define MAY_START true
#define MAY_STEAL true
#endif

active proctype device() {
    EVENT("{'event':'begin'}\n");
end:
    do
    :: atomic { HAS_ROOM && MAY_START;
        SAY("The app starts.\n"); EVENT("{'event':'start'}\n"); start() }
    :: d_step { IF(ring.generation > 0 && ring.pending == 0 && HAS_ROOM); add_key();
        SAY("The device adds a pending key.\n"); EVENT("{'event':'rotate'}\n"); }
    :: d_step { IF(ring.generation > 0 && ring.owner == installation && HAS_ROOM);
        before = before | ring.keys; add_key();
        SAY("The app renews its keys.\n"); EVENT("{'event':'renew'}\n") }
    :: d_step { IF(ring.generation > 0 && ring.owner == installation && backup.generation != ring.generation);
        copy_ring(backup, ring); SAY("The device is backed up.\n"); EVENT("{'event':'backup'}\n") }
    :: atomic { IF(backup.generation > 0);
        d_step { copy_ring(ring, backup); before = 0 };
        if
        :: SAY("The keyring comes back from the backup.\n"); EVENT("{'event':'restore','isReinstalled':0}\n")
        :: installation++; confirmed = false;
            SAY("The keyring comes back from the backup, and the app is new.\n");
            EVENT("{'event':'restore','isReinstalled':1}\n")
        fi }
    :: atomic { IF(ring.generation > 0 && token == 0);
        installation++; confirmed = false;
        if
        :: SAY("The app is reinstalled.\n"); EVENT("{'event':'reinstall','token':0}\n")
        :: token = 1; SAY("The app is reinstalled and gets another token.\n");
            EVENT("{'event':'reinstall','token':1}\n")
        fi }
    :: d_step { IF(token == 1 && row[0].generation > 0); row[0].generation = 0; row[0].key = 0; row[0].former = 0;
        hasOld = hasOld && oldToken == 1; replacedKeys = row[1].former;
        SAY("The server deletes the row of the old token.\n");
        EVENT("{'event':'delete'}\n") }
    :: atomic { IF(MAY_STEAL);
        do :: key < lastKey -> key++ :: break od;
        if
        :: d_step { key != THIEF && !HAS(replacedKeys, key) -> CLEAR }
        :: else ->
        if
        :: d_step { generation = row[token].generation + 1; thief(); CLEAR }
#ifndef TRACE
        :: d_step { generation = row[token].generation + GROWTH; thief(); CLEAR }
        :: d_step { generation = HIGHEST; thief(); CLEAR }
#endif
        fi fi }
    :: d_step { IF(hasOld); hasOld = false; receive(oldKey, oldGeneration, oldToken);
        disturbed = disturbed || !stale;
        SAY("A request comes again: key %d in generation %d.\n", oldKey, oldGeneration);
        EVENT("{'event':'repeat','key':%d,'generation':%d,'token':%d,'isStale':%d,'known':%d}\n", oldKey,
            oldGeneration, oldToken, stale, (stale -> known : 0)); CLEAR }
    :: d_step { IF(firstRow.generation > 0 && token == 0); row[0].generation = firstRow.generation;
        row[0].key = firstRow.key; row[0].former = firstRow.former; setBack = true; replacedKeys = row[0].former;
        leaked = 0; before = 0; SAY("The server is set back to its first row.\n"); EVENT("{'event':'setBack'}\n") }
    od
}
