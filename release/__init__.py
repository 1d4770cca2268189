"""What is made from the program for a release of it."""
