"""Widgets that other screens could use as well: they own their look and paint line by line where there is volume.

Each folder is a subject, named for what a person sees.
"""
