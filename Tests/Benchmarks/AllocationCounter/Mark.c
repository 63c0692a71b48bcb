#include "AllocationCounter.h"

// The compiler must neither inline nor omit the call.
__attribute__((noinline)) void instructions_mark(void) { __asm__ volatile(""); }
