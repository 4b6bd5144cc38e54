import CLinux

/// The version of this library, which is that of the daemon it was made with.
public enum RenewdVersion {
  public static let current = RENEWD_VERSION
}
