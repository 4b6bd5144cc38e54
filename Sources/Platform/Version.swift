import CLinux

/// The version of the daemon, as `--version` and `Daemon.Describe` say it.
let renewdVersion = RENEWD_VERSION
