#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the arguments of a process, and calls a function with each input.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*target)(const uint8_t *data, size_t size));
