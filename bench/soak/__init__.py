"""Hours of trouble in minutes: what is there at rest must be what was there before."""
