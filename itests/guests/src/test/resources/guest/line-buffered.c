/* Loaded into a program before its own libraries: what it writes to a file is there line by line, as on a terminal. */
#include <stdio.h>

__attribute__((constructor)) static void lines(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
}
