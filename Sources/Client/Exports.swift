/// Parameters and raw replies are JSON trees, so who imports the client has their type.
@_exported import JSON
