/* The server's record of a device for registration.pml, which declares the variables. */

/* Recipient.init */
inline receive(k, g, t) {
    known = row[t].generation;
    stale = true;
    if
#ifndef WITHOUT_GENERATIONS
    :: g < known -> skip
#endif
#ifndef WITHOUT_GROWTH_LIMIT
    :: known > 0 && g > known + GROWTH -> skip
#endif
#ifndef WITHOUT_FIRST_LIMIT
    :: known == 0 && g > FIRST -> skip
#endif
#ifndef WITHOUT_ONE_KEY
    :: known > 0 && g == known && k != row[t].key -> skip
#endif
    :: else ->
        if
#ifndef WITHOUT_FORMER_KEYS
        :: HAS(row[0].former | row[1].former, k) -> known = g
#endif
        :: else -> stale = false; accept(k, g, t)
        fi
    fi
}

inline accept(k, g, t) {
    HOLDS(1, g >= known);
    HOLDS(2, !HAS(replacedKeys, k));
    HOLDS(3, known == 0 || g > known || k == row[t].key);
    HOLDS(6, setBack || t != token || !HAS(leaked, k));
    if
    :: known == 0 -> row[t].former = row[1 - t].former
    :: known > 0 && row[t].key != k ->
        row[t].former = row[t].former | BIT(row[t].key);
        replacedKeys = replacedKeys | BIT(row[t].key)
    :: else -> skip
    fi;
    row[t].generation = g; row[t].key = k;
    if
    :: firstRow.generation == 0 && t == 0 ->
        firstRow.generation = g; firstRow.key = k; firstRow.former = row[t].former
    :: else -> skip
    fi
}
