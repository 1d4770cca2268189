"""The one object that both front ends receive: all connections of a run, the traffic, the recorder."""
