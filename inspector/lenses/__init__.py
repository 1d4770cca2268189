"""How another client would see a server: what it makes of schemas before anybody is asked to fill them in."""
