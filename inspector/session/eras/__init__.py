"""The two eras of the protocol as strategies of a session: how it is opened, how a request is dressed, how one is given
up, how the server asks for input. `choosing` finds out which one a server speaks."""
