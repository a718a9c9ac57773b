"""Expectations held against values, and templates made into what is sent."""
