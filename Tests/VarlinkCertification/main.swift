CertificationServer.main(CommandLine.arguments)
