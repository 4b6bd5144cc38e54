// libsystemd: telling the service manager, inherited sockets, the event loop, the journal.
#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H

// Entries carry no C file and line: they would be those of the one place that sends them all.
#define SD_JOURNAL_SUPPRESS_LOCATION

#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>

#endif
