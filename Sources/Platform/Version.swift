/// The version of the daemon, as `--version` and `Daemon.Describe` say it.
let renewdVersion = "0.1.0"
