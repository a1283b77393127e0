"""Released pools of environments, read as candidates: checked, counted, and admitted where they pass."""

from .census import Blamed, Census, Counting, Steps, Tally, Trouble, census, pools

__all__ = ["Blamed", "Census", "Counting", "Steps", "Tally", "Trouble", "census", "pools"]
