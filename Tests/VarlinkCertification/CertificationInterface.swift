extension Certification {
  /// The interface that implementations of Varlink are tried with. Names and types are those of
  /// the copy that Python's `varlink` package carries, whose client calls this program.
  static let interfaceText = """
    interface org.varlink.certification

    type Interface (
      foo: ?[]?[string](foo, bar, baz),
      anon: (foo: bool, bar: bool)
    )

    type MyType (
      object: object,
      enum: (one, two, three),
      struct: (first: int, second: string),
      array: []string,
      dictionary: [string]string,
      stringset: [string](),
      nullable: ?string,
      nullable_array_struct: ?[](first: int, second: string),
      interface: Interface
    )

    method Start() -> (client_id: string)
    method Test01(client_id: string) -> (bool: bool)
    method Test02(client_id: string, bool: bool) -> (int: int)
    method Test03(client_id: string, int: int) -> (float: float)
    method Test04(client_id: string, float: float) -> (string: string)
    method Test05(client_id: string, string: string) -> (
      bool: bool, int: int, float: float, string: string
    )
    method Test06(
      client_id: string, bool: bool, int: int, float: float, string: string
    ) -> (struct: (bool: bool, int: int, float: float, string: string))
    method Test07(
      client_id: string, struct: (bool: bool, int: int, float: float, string: string)
    ) -> (map: [string]string)
    method Test08(client_id: string, map: [string]string) -> (set: [string]())
    method Test09(client_id: string, set: [string]()) -> (mytype: MyType)
    method Test10(client_id: string, mytype: MyType) -> (string: string)
    method Test11(client_id: string, last_more_replies: []string) -> ()
    method End(client_id: string) -> (all_ok: bool)

    error ClientIdError ()
    error CertificationError (wants: object, got: object)

    """
}
