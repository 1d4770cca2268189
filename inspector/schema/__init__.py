"""Turns the input schemas of tools into forms and what was filled in back into arguments; no screen in it."""
