# expect: refuse static.class
"""No class at all."""
import random


def reset(seed=None):
    return str(random.Random(seed).random()), {}


def step(action):
    return "x", 0.0, False, False, {}
