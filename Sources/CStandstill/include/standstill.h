#ifndef STANDSTILL_H
#define STANDSTILL_H

// Nothing to call: the functions of standstill.c take the place of the C library's in a process
// that loads it first.

#endif
