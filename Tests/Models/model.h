/* What all models share. */

/* Claims a property by its number in the model. The checker prints the number if the claim is wrong. ONLY is the
   property that a variant breaks, and 0 claims all. */
#ifndef ONLY
#define ONLY 0
#endif
#define HOLDS(number, claim) assert((claim) || (ONLY != 0 && ONLY != number) || number != number)

/* SAY tells a person about a step, and EVENT tells a test. JSON's quotation marks are written as apostrophes. */
#ifdef TRACE
#define SAY(...) skip
#define EVENT(...) printf(__VA_ARGS__)
#else
#define SAY(...) printf(__VA_ARGS__)
#define EVENT(...) skip
#endif

#define WITHIN(a, b, most) (((a) > (b) -> (a) - (b) : (b) - (a)) <= (most))
#define LEAST(a, b) ((a) < (b) -> (a) : (b))
#define MOST(a, b) ((a) > (b) -> (a) : (b))

/* Sets of keys */
#define BIT(k) (1 << (k))
#define HAS(keys, k) (((keys) & BIT(k)) != 0)
