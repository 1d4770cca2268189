"""How a client of Solon AI sees a server that offers a remote skill: what it asks it, and what of its tools reaches the
model. Read in the sources of 3.9.0, 3.9.3 and 4.0.6."""
