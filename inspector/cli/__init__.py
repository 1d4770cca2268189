"""The command line: stdout carries the answer, stderr what is said to the person, the exit code the outcome."""
