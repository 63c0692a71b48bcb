/* The steps of the guard for replay.pml, which declares the variables. */

#ifdef WITHOUT_ACCOUNTS
#define FILE_OF(a) 0
#else
#define FILE_OF(a) a
#endif

/* Messages that a beginning now can't vouch for: limits that the threat model states. */
inline excuse() {
    i = 0;
    do
    :: i < sealed && (message[i].issued > now || (now < real && created[message[i].key] >= now)) ->
        message[i].excused = true; i++
    :: i < sealed && !(message[i].issued > now || (now < real && created[message[i].key] >= now)) -> i++
    :: else -> break
    od
}

/* FileReplayGuard.header and StoreStart.of */
inline open_file(areNew) {
    file[f].exists = true;
    if
    :: secrets == NONE || file[f].epoch == secrets -> skip
#ifdef WITHOUT_COMPARISON
    :: secrets != NONE && file[f].epoch == OTHERS -> skip
    :: secrets != NONE && file[f].epoch == NONE ->
#else
    :: else ->
#endif
        if
#ifdef WITHOUT_EPOCH
        :: skip
#elif !defined(WITHOUT_ADOPTION)
        :: areNew && file[f].epoch == NONE -> skip
#endif
#ifndef WITHOUT_EPOCH
        :: else -> file[f].start = now; excuse()
#endif
        fi;
        file[f].epoch = secrets
    fi
}

/* ReplayTimes.place */
inline find_place() {
    place = 0; found = 0; i = 0;
    do
    :: i < file[f].count && !found ->
        if
        :: message[file[f].record[i] - 1].expiration < LEAST(message[m].issued, now) ->
#ifndef WITHOUT_EXPIRATION_LIMIT
            file[f].expiration = MOST(file[f].expiration, message[file[f].record[i] - 1].expiration);
#endif
            place = i; found = 1
        :: else ->
            if
            :: i == 0 || message[file[f].record[i] - 1].issued < message[file[f].record[place] - 1].issued -> place = i
            :: else -> skip
            fi
        fi;
        i++
    :: else -> break
    od;
    if
    :: found -> skip
    :: !found && file[f].count < CAPACITY -> place = file[f].count; file[f].count++
    :: else ->
        i = file[f].record[place] - 1;
        if
#ifdef WITHOUT_FUTURE_RULE
        :: true -> file[f].issued = MOST(file[f].issued, message[i].issued)
#elif !defined(WITHOUT_ISSUE_LIMIT)
        :: message[i].issued <= now -> file[f].issued = MOST(file[f].issued, message[i].issued)
#else
        :: message[i].issued <= now -> skip
#endif
        /* A stated limit: a clock behind the sender's. */
        :: else -> message[i].excused = true
        fi
    fi
}

/* FileReplayGuard.admit */
inline admit() {
    f = FILE_OF(message[m].account);
    open_file(false);
    newer = created[message[m].key] >= file[f].start;
#ifdef WITHOUT_NEWER_KEYS
    newer = false;
#endif
    found = 0; i = 0;
    do
    :: i < file[f].count ->
        if
        :: file[f].record[i] == m + 1 -> found = i + 1
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
#ifdef WITHOUT_IDS
    found = 0;
#endif
    if
    :: found ->
        if
#ifdef WITHOUT_REPEATS
        :: true -> answer = replayed
#elif defined(WITHOUT_HOUR)
        :: true -> answer = repeated
#else
        :: WITHIN(now, file[f].admitted[found - 1], HOUR) -> answer = repeated
        :: else -> answer = replayed
#endif
        fi
    :: !found && message[m].issued <= file[f].start && !newer -> answer = possiblyReplayed
    :: !found && (message[m].issued > file[f].start || newer) ->
        if
        :: message[m].issued > file[f].issued && message[m].expiration > file[f].expiration ->
            find_place();
            file[f].record[place] = m + 1;
            file[f].admitted[place] = now;
            answer = new
        :: else -> answer = possiblyReplayed
        fi
    fi
}
