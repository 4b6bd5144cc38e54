SignedData.main()
