"""Texts of hits with what matched marked: three ways to choose the fragments that are shown."""
