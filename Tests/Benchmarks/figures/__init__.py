"""Measures PushCrypt, keeps the rows, and generates the tables of Docs/Benchmarks.md."""
