"""Measures PushCrypt, keeps the rows, and generates the tables of Tests/Benchmarks/README.md."""
