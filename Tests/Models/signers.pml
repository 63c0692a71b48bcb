/*
Subject: Lists of accepted keys, and the rotation of a server's signing keys: an offline and an online root, and a
  thief.

Code: Sources/PushCryptKeyring/SignerLists/SignerRoots.swift: acceptedKeys, decidingList, adding, checkOrder
Code: Sources/PushCryptKeyring/SignerLists/SignerList.swift: checkListing
Code: Sources/PushCryptKeyring/Keyring+Signing.swift: signers, prune, unneededKeys
Code: Sources/PushCryptKeyring/SignerLists/Keyring+Revoking.swift: revoke, revokeAll
Code: Sources/PushCryptReceiver/Keys/DeviceKeyring.swift: setSigners, addSignerList
Code: Sources/PushCryptSender/Sealing/SenderAuthentication.swift: signer
Code: Sources/PushCryptReceiver/Registering/RegistrationMachine.swift: settle, answered

Minimum: 60,000 states

Abstracted: Signatures are perfect. The server begins with the primary key 1 and the online root, key 0. The offline
root is key 3. One sealed push is in the network. A list expires when the model says so. The compromised server, or an
attacker who writes its answers, hands out any list that exists. Backups of a device are not in the model: the threat
model says that they bring an old list back.

Property LIST-1: A push is accepted, unless its key was revoked, a root was stolen, or an attacker has handed out a
  list.
Property LIST-2: After a list without a revoked key, the device never accepts this key again, unless a root was stolen.
Property LIST-3: With a list of the offline root, a thief of the online root changes no accepted key.
Property LIST-4: A list never replaces another one of the same number.
Property LIST-5: The device never accepts a key of another audience's list.
Property LIST-6: A device takes no expired list.
Property LIST-7: A row changes its accepted keys only with a higher generation.
Property LIST-8: After a start without losses, the server knows the accepted keys.

Variant WITHOUT_CHOICE breaks LIST-1: The server promotes a key, and devices without the newest list show the
  placeholder.
Variant WITHOUT_LISTING breaks LIST-1: The server hands out a list of before, and the device refuses its primary key.
Variant WITHOUT_PRUNING_RULE breaks LIST-1: The server prunes a retired key while its last push is in the network.
Variant WITHOUT_NUMBERS breaks LIST-2: An attacker hands out an old list, and the stolen key works again.
Variant WITHOUT_RANK breaks LIST-3: A thief of the server's keys signs a list with the thief's own key.
Variant WITHOUT_CONFLICTS breaks LIST-4: A thief of the root replaces a list without a new number, which no operator
  sees.
Variant WITHOUT_AUDIENCE breaks LIST-5: An attacker hands out the list of the test environment.
Variant WITHOUT_EXPIRATION breaks LIST-6: A new device gets a list from before a revocation.
Variant WITHOUT_HIGHER_GENERATION breaks LIST-7: A late registration brings back the accepted keys of before.
Variant WITHOUT_SECOND_REQUEST breaks LIST-8: The device takes a list, and the server signs by its old one for a week.
*/
#include "model.h"

#define ROOT 0
#define OFFLINE 3
#define THIEF 4
#define TEST 5
#define KEYS 3
#define LISTS 2
#define ONLINE 0
#define BEFORE 1

/* The lists of a root by their numbers from 1; keys of 0 is a list that doesn't exist. */
typedef Root { byte keys[6]; byte revoked[6]; bool expired[6] };
Root list[2];           /* ONLINE, and 1 for the offline root */
byte lists[2];
/* The server's keyring: the primary key, and the set of all. Keys are created in order, and revoked ones leave. */
byte primary = 1, ring = 3, created = 2, revoked;
bool stolen;
/* The keys that the operator has carried to the machine of the offline root. */
byte carried = BIT(ROOT), carriedRevoked;
/* The device: the number and the keys of its list of each root, and the generation of its accepted keys. */
byte number[2], keys[2], generation = 1, excluded;
/* The server's row: the accepted keys that it knows, and their generation. */
byte row, rowGeneration;
/* An earlier registration, which may come again. */
byte oldKeys, oldGeneration;
/* The signer of the push in the network, with 1 added. */
byte push;
byte k, root, n, fresh, accepted, was, steps;
bool wasOffline, misled;

#define STEPS 8

/* SignerRoots.acceptedKeys: the first root that has a list decides. */
#ifdef WITHOUT_RANK
#define ACCEPTED (number[ONLINE] != 0 -> keys[ONLINE] : (number[1] != 0 -> keys[1] : BIT(ROOT) | BIT(OFFLINE)))
#else
#define ACCEPTED (number[1] != 0 -> keys[1] : (number[ONLINE] != 0 -> keys[ONLINE] : BIT(ROOT) | BIT(OFFLINE)))
#endif

/* Recipient.checkGeneration */
inline register(set, g) {
    if
#ifdef WITHOUT_HIGHER_GENERATION
    :: g >= rowGeneration ->
#else
    :: g > rowGeneration || (g == rowGeneration && set == row) ->
#endif
        HOLDS(7, g > rowGeneration || set == row || rowGeneration == 0);
        row = set; rowGeneration = g
    :: else -> skip
    fi
}

/* SignerRoots.adding, then Keyring.setSigners */
inline take(aRoot, aNumber, aSet, isExpired, isForeign) {
    was = ACCEPTED; wasOffline = number[1] != 0;
    if
#ifndef WITHOUT_AUDIENCE
    :: isForeign -> skip
#endif
#ifndef WITHOUT_NUMBERS
    :: aNumber < number[aRoot] -> skip
#endif
    :: aNumber == number[aRoot] && aSet == keys[aRoot] -> skip
#ifndef WITHOUT_CONFLICTS
    :: aNumber == number[aRoot] && aSet != keys[aRoot] -> skip
#endif
#ifndef WITHOUT_EXPIRATION
    :: isExpired -> skip
#endif
    :: else ->
        HOLDS(4, aNumber != number[aRoot] || aNumber == 0);
        HOLDS(6, !(isExpired));
        number[aRoot] = aNumber; keys[aRoot] = aSet
    fi;
    accepted = ACCEPTED;
    HOLDS(5, !HAS(accepted, TEST));
#ifndef WITHOUT_HIGHER_GENERATION
    generation = generation + (accepted != was -> 1 : 0);
#endif
    /* A stated limit: the first list of the offline root may be from before the revocation. */
    excluded = (number[1] != 0 && !wasOffline -> 0 : excluded);
    HOLDS(2, stolen || (accepted & excluded) == 0);
    /* Keys that were revoked before the deciding list. */
    excluded = excluded | (number[1] != 0 -> list[1].revoked[number[1]] : list[0].revoked[number[0]]);
    SAY("The device is offered list %d of root %d with the keys %d, and accepts the keys %d.\n", aNumber, aRoot, aSet,
        accepted)
}

/* SenderAuthentication.signer: the primary key, or the newest retired one that the device accepts. */
inline choose() {
    fresh = 0; k = KEYS;
    do
    :: k > 0 ->
        k--;
        if
        :: fresh == 0 && k <= primary && HAS(ring, k) && HAS(row, k) -> fresh = k + 1
        :: else -> skip
        fi
    :: else -> break
    od;
#ifdef WITHOUT_CHOICE
    fresh = primary + 1;
#endif
    k = 0
}

#define CLEAR k = 0; root = 0; n = 0; fresh = 0; accepted = 0; was = 0; wasOffline = false
#define IF(condition) steps < STEPS && (condition) -> steps++
#ifdef WITHOUT_PRUNING_RULE
#define IS_UNNEEDED true
#else
#define IS_UNNEEDED (push != 2 && HAS(row, 2))
#endif
#ifdef WITHOUT_LISTING
#define IS_LISTED(r) true
#else
#define IS_LISTED(r) HAS(list[r].keys[lists[r]], primary)
#endif

/* RegistrationMachine.settle: a registration, the lists in its answer, and a second registration if they change it. */
inline start() {
    accepted = ACCEPTED;
    register(accepted, generation);
    oldKeys = (oldGeneration == 0 -> accepted : oldKeys);
    oldGeneration = (oldGeneration == 0 -> generation : oldGeneration);
    root = 0;
    do
    :: root < 2 ->
        if
        :: lists[root] > 0 && IS_LISTED(root) && !list[root].expired[lists[root]] ->
            n = lists[root]; fresh = list[root].keys[n];
            take(root, n, fresh, false, false)
        :: else -> skip
        fi;
        root++
    :: else -> break
    od;
    accepted = ACCEPTED;
#ifndef WITHOUT_SECOND_REQUEST
    register(accepted, generation);
#endif
    HOLDS(8, row == accepted)
}

active proctype world() {
end:
    do
    :: d_step { IF(true); SAY("The app starts.\n"); start(); CLEAR }
    :: d_step { IF(created < KEYS); ring = ring | BIT(created); created++;
        SAY("The server adds the pending key %d.\n", created - 1) }
    :: atomic { IF(primary + 1 < created);
        d_step { primary = created - 1; SAY("The server promotes key %d.\n", primary) } }
    :: atomic { IF(lists[0] < LISTS || lists[1] < LISTS);
        if :: lists[0] < LISTS -> root = 0 :: lists[1] < LISTS -> root = 1 fi;
        d_step { lists[root]++; n = lists[root];
            list[root].keys[n] = (root == 1 -> carried : ring);
            list[root].revoked[n] = (root == 1 -> carriedRevoked : revoked);
            SAY("Root %d signs list %d of the keys %d.\n", root, n, list[root].keys[n]); CLEAR } }
    :: d_step { IF(carried != ring); carried = ring; carriedRevoked = revoked;
        SAY("The operator carries the keys %d to the offline root.\n", ring) }
    :: d_step { IF(lists[1] > 0 && !list[1].expired[1]); list[1].expired[1] = true;
        SAY("List 1 of the offline root expires.\n") }
    :: atomic { IF(created > 1 && primary > 0);     /* A key that isn't the root is stolen, and revoked. */
        d_step { revoked = revoked | BIT(primary); ring = ring & ~BIT(primary);
            SAY("The server revokes key %d.\n", primary);
            do :: primary > 0 && !HAS(ring, primary) -> primary-- :: else -> break od;
            lists[0]++; list[0].keys[lists[0]] = ring;
            list[0].revoked[lists[0]] = revoked; SAY("Root 0 signs list %d of the keys %d.\n", lists[0], ring) } }
    :: d_step { IF(primary == 2 && HAS(ring, 1) && !HAS(revoked, 1) && IS_UNNEEDED);     /* Keyring.prune */
        ring = ring & ~BIT(1); SAY("The server prunes key 1.\n") }
    :: d_step { IF(push == 0 && rowGeneration > 0); choose(); push = fresh;
        SAY("The server signs a push with key %d.\n", fresh - 1); CLEAR }
    :: d_step { push > 0 -> k = push - 1; accepted = ACCEPTED;
        HOLDS(1, HAS(accepted, k) || HAS(revoked, k) || stolen || misled);
        SAY("The push with key %d arrives.\n", k); push = 0; CLEAR }
    :: atomic { IF(lists[0] + lists[1] > 0);        /* An attacker hands out any list. */
        if :: lists[0] > 0 -> root = 0 :: lists[1] > 0 -> root = 1 fi;
        n = 1; do :: n < lists[root] -> n++ :: break od;
        d_step { fresh = list[root].keys[n]; k = list[root].expired[n]; take(root, n, fresh, k, false);
            misled = misled || accepted != was; CLEAR } }
    :: d_step { IF(true); fresh = BIT(TEST); take(1, 5, fresh, false, true); CLEAR }
    :: atomic { IF(!stolen); stolen = true; SAY("The online root is stolen.\n") }
    :: atomic { IF(stolen);
        if :: n = 5 :: number[0] > 0 -> n = number[0] fi;
        d_step { fresh = BIT(THIEF); k = ACCEPTED; take(0, n, fresh, false, false);
            HOLDS(3, number[1] == 0 || accepted == k); CLEAR } }
    :: d_step { IF(oldGeneration > 0); SAY("An old registration comes again.\n"); register(oldKeys, oldGeneration) }
    od
}
