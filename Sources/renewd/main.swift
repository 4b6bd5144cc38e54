import Platform

Renewd.main()
