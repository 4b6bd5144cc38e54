// Code that comes from `import SwiftUI` expects `@Observable`, which the toolchain has.
@_exported import Observation
