"""Parts of a screen, composed of widgets: they are given what they show and post messages, and do no I/O."""
