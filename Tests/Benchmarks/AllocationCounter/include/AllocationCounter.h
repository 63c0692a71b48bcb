#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

// How many times the process has asked the allocator for memory so far, on all threads.
unsigned long allocation_count(void);

#endif
