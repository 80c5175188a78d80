"""The commands of the command line beyond a run, a module each; they are imported when they are named."""
