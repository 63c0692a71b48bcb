/*
Subject: Proof of possession: a device, its server, and an attacker with an account, a phone and a stolen session.

Code: Sources/PushCryptSender/Proofs/ProofOfPossession.swift: decide, check
Code: Sources/PushCryptSender/Recipients/ProofRequirement.swift: check, transition
Code: Sources/PushCryptSender/Proofs/ChallengeSecrets.swift: current
Code: Sources/PushCryptKeyring/Proofs/ProofComputation.swift: nonce, proof
Code: Sources/PushCryptReceiver/Proofs/DeviceRegistrar+Proving.swift: event, challenge
Code: Sources/PushCryptReceiver/Proofs/RegistrationMachine+Proving.swift: challenged, proveNext, prove

Minimum: 100,000 states

Abstracted: Hashes and sealed boxes are perfect. Anna's device has one key, one token and one account, and has begun its
registration; generations are in registration.pml. The attacker has the session of Anna too, sends any request, gets the
pushes to the own token, delivers recorded challenges to Anna's device, and sees its answers. A challenge ends with its
day. The secret changes once. That the attacker's own phone is registered for Anna's account is a stated limit.

Property PROOF-1: No row of the attacker's account has Anna's token or Anna's key.
Property PROOF-2: No row of Anna's account has one of Anna's token and key with one of the attacker's.
Property PROOF-3: A request without a proof changes no row.
Property PROOF-4: After the end of a challenge, its answer changes no row.
Property PROOF-5: The server seals the attacker's text to Anna's token only for 30 days to a row from before proofs.
Property PROOF-6: An answer of Anna's device to its own challenge is accepted in time.

Variant WITHOUT_PROOFS breaks PROOF-1: The attacker registers Anna's key and token for an own account, and writes to
  her.
Variant WITHOUT_ACCOUNT breaks PROOF-1: The attacker repeats the answer of Anna's device in the own account.
Variant WITHOUT_TOKEN breaks PROOF-1: The attacker answers a challenge of the own phone with Anna's token.
Variant WITHOUT_BOUND_NONCE breaks PROOF-1: The attacker proves everything with the nonce of the own phone.
Variant WITHOUT_OWN_INPUTS breaks PROOF-1: Anna's device answers the attacker's challenge as an oracle.
Variant WITHOUT_DIGEST breaks PROOF-2: With Anna's session, the attacker repeats her answer for another key.
Variant WITHOUT_KEEPING breaks PROOF-3: With Anna's session, the attacker replaces her row, and her device gets nothing.
Variant WITHOUT_END breaks PROOF-4: Anna signs out, and days later the attacker repeats her device's answer.
Variant WITHOUT_BOUND_END breaks PROOF-4: The attacker repeats the answer with another date.
Variant WITHOUT_REFUSAL breaks PROOF-5: The server goes on writing to the attacker's row from before proofs.
Variant WITHOUT_PREVIOUS_SECRET breaks PROOF-6: The operator replaces the secret, and waiting devices are rejected.
*/
#include "model.h"

/* The names of accounts, tokens and keys. */
#define ANNA 0
#define ATTACKER 1
#define NO_KEY 2
#define DAYS 2
#define TRANSITION 2
#define SLOTS 2

/* What the nonce of a challenge covers, with the version of the secret. */
typedef Challenge { bool issued; byte account, token, key, expiry, secret };
/* An answer of Anna's device: the challenge of its nonce. Its own inputs are always Anna's. */
typedef Tokens { byte key[2]; bool proved[2] };

Challenge challenge[SLOTS];
bool answered[SLOTS];
Tokens row[2];          /* by account and token */
byte day, secret;
bool isOld;             /* The attacker's row is from before proofs. */
bool hasOld;            /* The same, for the properties. */

byte account, token, key, expiry, slot, nonce, before;
bool valid;

/* Each input is compared, unless a variant leaves it out. */
#ifdef WITHOUT_BOUND_NONCE
#define NONCE_COVERS(one, other) true
#else
#define NONCE_COVERS(one, other) ((one) == (other))
#endif
#ifdef WITHOUT_OWN_INPUTS
#define PROOF_COVERS(one, other) true
#else
#define PROOF_COVERS(one, other) ((one) == (other))
#endif
#ifdef WITHOUT_ACCOUNT
#define ACCOUNT(covered) true
#else
#define ACCOUNT(covered) covered
#endif
#ifdef WITHOUT_TOKEN
#define TOKEN(covered) true
#else
#define TOKEN(covered) covered
#endif
#ifdef WITHOUT_DIGEST
#define DIGEST(covered) true
#else
#define DIGEST(covered) covered
#endif
#ifdef WITHOUT_BOUND_END
#define END(covered) true
#else
#define END(covered) covered
#endif
#ifdef WITHOUT_PREVIOUS_SECRET
#define SECRET(version) (version == secret)
#else
#define SECRET(version) true
#endif

/* ProofComputation.nonce of the request at hand is that of a challenge. */
#define IS_NONCE(c) (c.issued && SECRET(c.secret) && ACCOUNT(NONCE_COVERS(c.account, account)) \
    && TOKEN(NONCE_COVERS(c.token, token)) && DIGEST(NONCE_COVERS(c.key, key)) && END(NONCE_COVERS(c.expiry, expiry)))
/* ProofComputation.proof of Anna's device is that of the request at hand. */
#define IS_ANNAS_PROOF (ACCOUNT(PROOF_COVERS(account, ANNA)) && TOKEN(PROOF_COVERS(token, ANNA)) \
    && DIGEST(PROOF_COVERS(key, ANNA)))

/* ProofOfPossession.decide for a request with a proof */
inline prove(late) {
#ifndef WITHOUT_END
    valid = valid && day < expiry;
#endif
    if
    :: valid ->
        HOLDS(4, !(late) || row[account].key[token] == key);
        row[account].key[token] = key;
        row[account].proved[token] = true;
        check_rows()
    :: else -> skip
    fi
}

inline check_rows() {
    HOLDS(1, !row[ATTACKER].proved[ANNA]);
    HOLDS(1, !row[ATTACKER].proved[ATTACKER] || row[ATTACKER].key[ATTACKER] != ANNA);
    HOLDS(2, !row[ANNA].proved[ANNA] || row[ANNA].key[ANNA] != ATTACKER);
    HOLDS(2, !row[ANNA].proved[ATTACKER] || row[ANNA].key[ATTACKER] != ANNA)
}

/* ProofOfPossession.decide for a request without a proof */
inline ask() {
    before = row[account].key[token];
#if defined(WITHOUT_PROOFS)
    valid = true; expiry = day + 1;
    prove(false);
#elif defined(WITHOUT_KEEPING)
    row[account].key[token] = key; row[account].proved[token] = false;
#endif
#ifndef WITHOUT_PROOFS
    HOLDS(3, row[account].key[token] == before);
#endif
    challenge[slot].issued = true; challenge[slot].account = account; challenge[slot].token = token;
    challenge[slot].key = key; challenge[slot].expiry = day + 1; challenge[slot].secret = secret;
    answered[slot] = false;
    SAY("Account %d registers token %d and key %d, and challenge %d goes to this token (0 is Anna, 1 the attacker).\n",
        account, token, key, slot)
}

/* ProofRequirement.check */
#ifdef WITHOUT_REFUSAL
#define IS_ACCEPTED true
#else
#define IS_ACCEPTED (row[ATTACKER].proved[ANNA] || isOld && day < TRANSITION)
#endif
#define IS_OPEN(s) (challenge[s].issued && challenge[s].key == ANNA)
#define IS_ATTACKERS(s) (challenge[s].issued && challenge[s].key == ATTACKER && challenge[s].token == ATTACKER)
#define CLEAR account = 0; token = 0; key = 0; expiry = 0; slot = 0; nonce = 0; before = 0; valid = false
#define CHOOSE(variable) if :: variable = ANNA :: variable = ATTACKER fi

active proctype world() {
    d_step {
        row[0].key[0] = NO_KEY; row[0].key[1] = NO_KEY; row[1].key[0] = NO_KEY; row[1].key[1] = NO_KEY
    };
    if
    :: isOld = true; hasOld = true; row[ATTACKER].key[ANNA] = ATTACKER
    :: skip
    fi;
end:
    do
    :: atomic { true; slot = 0;     /* Anna's device or the attacker asks. */
        if :: slot = 0 :: slot = 1 fi;
        CHOOSE(account); CHOOSE(token); CHOOSE(key);
        d_step { ask(); CLEAR } }
    :: atomic { IS_OPEN(0) || IS_OPEN(1);      /* Anna's device gets a challenge, also a relayed one. */
        if :: IS_OPEN(0) -> slot = 0 :: IS_OPEN(1) -> slot = 1 fi;
        d_step { answered[slot] = true; account = ANNA; token = ANNA; key = ANNA; expiry = challenge[slot].expiry;
            valid = IS_NONCE(challenge[slot]);
            prove(day >= challenge[slot].expiry);
            HOLDS(6, valid || day >= challenge[slot].expiry || challenge[slot].account != ANNA
                || challenge[slot].token != ANNA || secret > challenge[slot].secret + 1);
            SAY("Anna's device answers challenge %d, valid %d.\n", slot, valid); CLEAR } }
    :: atomic { answered[0] || answered[1];     /* The attacker repeats an answer in another request. */
        if :: answered[0] -> slot = 0 :: answered[1] -> slot = 1 fi;
        CHOOSE(account); CHOOSE(token); CHOOSE(key);
        if :: expiry = challenge[slot].expiry :: expiry = day + 1 fi;
        d_step {
            valid = IS_NONCE(challenge[slot]) && IS_ANNAS_PROOF;
            SAY("It is repeated: account %d, token %d, key %d, valid %d.\n", account, token, key, valid);
            prove(day >= challenge[slot].expiry); CLEAR } }
    :: atomic { IS_ATTACKERS(0) || IS_ATTACKERS(1);     /* The attacker computes proofs with the own phone's nonce. */
        if :: IS_ATTACKERS(0) -> slot = 0 :: IS_ATTACKERS(1) -> slot = 1 fi;
        CHOOSE(account); CHOOSE(token); CHOOSE(key);
        if :: expiry = challenge[slot].expiry :: expiry = day + 1 fi;
        d_step { valid = IS_NONCE(challenge[slot]);
            SAY("The attacker proves with challenge %d in account %d token %d and key %d, valid %d.\n", slot, account,
                token, key, valid);
            prove(day >= challenge[slot].expiry); CLEAR } }
    :: atomic { true; CHOOSE(account); CHOOSE(token);
        d_step { row[account].key[token] = NO_KEY; row[account].proved[token] = false;
            isOld = isOld && (account == ANNA || token == ATTACKER);
            hasOld = hasOld && row[ATTACKER].key[ANNA] != NO_KEY;
            SAY("The row of account %d and token %d is deleted.\n", account, token); CLEAR } }
    :: d_step { row[ATTACKER].key[ANNA] != NO_KEY && IS_ACCEPTED ->
        HOLDS(5, hasOld && day < TRANSITION);
        SAY("The server seals the attacker's text to Anna's token.\n") }
    :: d_step { day < DAYS -> day++; SAY("A day passes.\n") }
    :: d_step { secret == 0 -> secret = 1; SAY("The secret rotates.\n") }
    od
}
