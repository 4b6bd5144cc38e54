/// Calls and what they answer are the contract's; raw replies are JSON trees.
@_exported import Contract
@_exported import JSON
