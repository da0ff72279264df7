"""Runs on trial: no tool is called, values made from schemas answer."""
