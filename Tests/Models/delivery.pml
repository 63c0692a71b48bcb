/*
Subject: The delivery of one notification: opening, later steps, the deadline and the system's expiry on their own
  threads.

Code: Sources/PushCryptReceiver/Inbox/Delivery.swift: opened, update, finished, end, decided
Code: Sources/PushCryptReceiver/Inbox/DeliveryGate.swift: step, close, handOver, waitUntilHandedOver
Code: Sources/PushCryptReceiver/Inbox/NotificationRequest.swift: run, improve, lookedUp
Code: Sources/PushCryptReceiver/Inbox/RunningRequests.swift: expire
Code: Sources/PushCryptReceiver/Inbox/PushInbox.swift: begin

Minimum: 3,000 states

Abstracted: Content is its rank: the fallback, the opened text, the text with an attachment, the app's customization, or
nothing (dropped). Opening and the later steps can hang. The deadline always comes. The content handler returns. The
test DeliveryExplorationTests explores two requests of the real code, in .ci/long.

Property DELIVERY-1: The content handler is called once at most.
Property DELIVERY-2: The content handler is called, even if the key store or the app's code hangs.
Property DELIVERY-3: The best content so far is handed over.
Property DELIVERY-4: Content without text replaces nothing, unless the notification is dropped.
Property DELIVERY-5: A message that isn't wanted any more isn't recorded in the replay guard.
Property DELIVERY-6: When the expiry returns, the content handler has been called.

Variant WITHOUT_LOCK breaks DELIVERY-1: The deadline passes while the opened text is handed over.
Variant WITHOUT_DEADLINE breaks DELIVERY-2: The key store hangs, and the system displays the push itself.
Variant WITHOUT_UPDATES breaks DELIVERY-3: The app's customization hangs, and the opened text is lost.
Variant WITHOUT_TEXT_RULE breaks DELIVERY-4: The app's customization returns empty content, which the system ignores.
Variant WITHOUT_WANTED breaks DELIVERY-5: After the deadline, the message is used up, and counts as replayed in the app.
Variant WITHOUT_WAITING breaks DELIVERY-6: The system ends the process while another thread hands the text over.
*/
#include "model.h"

#define FALLBACK 1
#define OPENED 2
#define ATTACHED 3
#define CUSTOMIZED 4
#define DROPPED 5
#define EMPTY 6

bool isOpen = true;
byte best = FALLBACK, ideal = FALLBACK, calls, displayed;
/* For the properties: a thread has taken the content. */
bool isTaken;
bool needsSteps, isRecorded, isHandedOver, hasExpired, wasClosed, isDone;
byte result;

/* Delivery.update: better content counts while the gate is open. */
inline update(content) {
    if
    :: isOpen && content != EMPTY -> best = content
#ifdef WITHOUT_TEXT_RULE
    :: isOpen && content == EMPTY -> best = content
#endif
    :: else -> skip
    fi
}
/* The model's own rule, to compare with. */
#define IDEAL(content) ideal = (!isTaken && content != EMPTY && content > ideal -> content : ideal)

/* Delivery.handOver and DeliveryGate.handOver: close under the lock, and call outside of it. */
inline hand_over(mine, text) {
#ifdef WITHOUT_LOCK
    mine = isOpen;
    isOpen = false;
    atomic { text = best; isTaken = true };
#else
    atomic { mine = isOpen; isOpen = false; text = best; isTaken = true };
#endif
    if
    :: mine ->
        atomic { calls++; displayed = text; HOLDS(1, calls <= 1); HOLDS(3, displayed == EMPTY || displayed == ideal);
            HOLDS(4, displayed != EMPTY); SAY("The content %d is handed over.\n", displayed) };
        isHandedOver = true
    :: else -> skip
    fi;
    mine = false; text = 0
}

active proctype opening() {
    bool mine; byte text;
    bool isWanted;
    if :: needsSteps = true :: needsSteps = false fi;
    if
    :: SAY("The key store hangs.\n"); goto hangs
    :: skip
    fi;
    /* Opener.open asks isWanted before the replay guard. */
    atomic {
#ifdef WITHOUT_WANTED
        isWanted = true;
#else
        isWanted = isOpen;
#endif
        wasClosed = isTaken;
        if
        :: isWanted -> if :: result = OPENED; isRecorded = true :: result = FALLBACK fi
        :: else -> result = FALLBACK
        fi;
        HOLDS(5, !isRecorded || !wasClosed);
        SAY("The message is opened: content %d.\n", result)
    };
    /* Delivery.opened */
    atomic { IDEAL(result); update(result) };
    if
    :: result == OPENED && needsSteps -> run steps()
    :: else -> hand_over(mine, text)
    fi;
hangs:
    skip
}

proctype steps() {
    bool mine; byte text;
    if
    :: SAY("The download hangs until the end.\n"); !isOpen
    :: atomic { IDEAL(ATTACHED);
#ifndef WITHOUT_UPDATES
        update(ATTACHED);
#endif
        SAY("The attachment has arrived.\n") }
    fi;
    if
    :: SAY("The app's code hangs.\n"); goto hangs
    :: atomic { IDEAL(CUSTOMIZED); update(CUSTOMIZED); SAY("The app customizes the content.\n") }
    :: atomic { IDEAL(DROPPED); update(DROPPED); SAY("The app drops the notification.\n") }
    :: atomic { update(EMPTY); SAY("The app returns empty content.\n") }
    :: SAY("The app's code throws.\n")
    fi;
    hand_over(mine, text);
hangs:
    skip
}

#ifndef WITHOUT_DEADLINE
active proctype deadline() {
    bool mine; byte text;
    SAY("The deadline passes.\n");
    hand_over(mine, text)
}
#endif

active proctype expiry() {
    bool mine; byte text;
    if
    :: SAY("The extension expires.\n");
        hand_over(mine, text);
#ifndef WITHOUT_WAITING
        isHandedOver;
#endif
        HOLDS(6, calls == 1)
    :: skip
    fi
}

/* When no thread can go on */
active proctype end_of_all() {
    timeout -> isDone = true; HOLDS(2, calls == 1)
}
