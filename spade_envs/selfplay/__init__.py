"""Self-play: one policy designs environments and plays them; the designer is paid by the agent's regret.

    collect --> reward --> batch --> update --> publish --> verify --> remember --> checkpoint

Rewards, advantages, batches and delays need no PyTorch and are of use to other trainers; losses and learners do.
"""

from __future__ import annotations
