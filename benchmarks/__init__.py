"""Benchmarks of s2r: whole commands in processes of their own, over a loopback world or a synthetic universe, as ratios and counts."""
