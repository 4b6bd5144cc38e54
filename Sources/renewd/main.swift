import Platform

Renewd.main(OpenSSLAuthority())
