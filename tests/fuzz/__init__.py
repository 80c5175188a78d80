"""Hostile input in bulk: configs and folders.

python -m tests.fuzz.configs --n 200000 --seed 1
python -m tests.fuzz.folders --n 20000 --seed 1
"""
