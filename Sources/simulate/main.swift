SimulateCommand.run(CommandLine.arguments)
