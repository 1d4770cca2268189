"""Screens: the workspace, and the dialogs over it."""
