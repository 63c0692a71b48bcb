#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

// How many times the process has asked the allocator for memory so far, on all threads.
unsigned long allocation_count(void);

// Does nothing: callgrind begins a new count at each call.
void instructions_mark(void);

#endif
