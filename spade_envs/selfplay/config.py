"""What a run of self-play is: five small frozen dataclasses, from one TOML file or from flags.

Values are checked when a section is made; what sections must have in common is checked by :meth:`Config.check`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..contract import CONTRACTS, REASONING_SKILLS, SKILLS
from .checks import Checked
from .conflicts import disagreements
from .failures import ConfigError

DESIGNERS = ("trained", "frozen", "pool", "uniform")
TASKS = ("sources", "specs")
DIFFICULTIES = ("easy", "medium", "hard")
STRATEGIES = ("balanced", "paper", "uniform")
NOVELTIES = ("memory", "off")
REWARDS = (
    "regret_shrunk",
    "regret_floored",
    "blend",
    "solve_rate",
    "learnability",
    "learning_potential",
    "micro_lp",
)
GROUPS = ("env", "seed")
OVERLONG = ("keep", "mask", "penalise")
LOSSES = ("grpo", "dapo", "dr_grpo", "bnpo", "cispo")
LEVELS = ("token", "sequence")
ADVANTAGES = ("centred", "spade", "trl", "verl", "slime")
CORRECTIONS = ("none", "token_truncate", "token_mask", "sequence_truncate", "sequence_mask")
ENGINES = ("hf", "vllm", "scripted", "external")
DEVICES = ("auto", "cpu", "cuda")
DTYPES = ("bfloat16", "float32", "float16")


@dataclass(frozen=True, kw_only=True)
class RunSection:
    """``[run]``: how long, where, and from which seed."""

    folder: str = "spade-run"
    """Where checkpoints, metrics, samples and the memory of the run lie."""
    seed: int = 0
    """Decides everything that is left to chance."""
    cycles: int = 100
    """Cycles to run in all; one optimizer step each."""
    checkpoint_every: int = 1
    """Cycles between checkpoints; the last cycle always makes one."""
    keep: int = 2
    """Checkpoints kept."""
    memory: str = ""
    """Path of the memory; empty for ``memory.db`` in ``folder``."""
    shelf: str = ""
    """Folder of a shelf that admitted environments are put on; empty for none."""
    jobs: int = 0
    """Sources checked at a time; 0 is one per processor."""
    samples: int = 2
    """Designs, and episodes of each arm, that are written out every cycle for people to read."""
    evaluate_every: int = 0
    """Cycles between plays of the task's own held-out environments; 0 never plays them."""
    evaluate_seeds: int = 8
    """Episodes of each of them."""
    tensorboard: bool = False
    """Whether curves are also written for TensorBoard, in ``tensorboard`` in ``folder``."""

    def __post_init__(self) -> None:
        check = Checked("run", self)
        check.texts("folder", "memory", "shelf")
        check.filled("folder", "name the folder of the run")
        check.whole("seed", 0, 2**63 - 1)
        check.whole("cycles", 1, 10**7)
        check.whole("checkpoint_every", 1, 10**7)
        check.whole("keep", 1, 1000)
        check.whole("jobs", 0, 1024)
        check.whole("samples", 0, 1000)
        check.whole("evaluate_every", 0, 10**6)
        check.whole("evaluate_seeds", 1, 10**4)
        check.flags("tensorboard")


@dataclass(frozen=True, kw_only=True)
class DesignSection:
    """``[design]``: who writes environments, from what, and what it is paid."""

    designer: str = "trained"
    """``trained``; ``frozen``: the policy writes them and is not trained on it; ``pool``: nobody, they come from
    ``pool``; ``uniform``: drawn at random by the task (only where it can)."""
    task: str = "sources"
    """``sources``: the policy writes Python; ``specs``: it writes compact specifications that are expanded."""
    pool: str = ""
    """Folder of a shelf to play from, for ``designer = "pool"``."""
    slots: int = 8
    """Environments asked for in a cycle that designs."""
    interval: int = 1
    """Cycles between designs; in the others the last environments are played again."""
    delay: int = 0
    """Cycles after which a design is trained on, a multiple of ``interval``; its reward sees all plays until then."""
    skills: tuple[str, ...] = REASONING_SKILLS
    """Skills to ask for, in this order."""
    window: int = 0
    """Skills of one epoch of designs; 0 is all."""
    difficulty: str = "medium"
    """``easy``, ``medium`` or ``hard``; a word of the designer's prompt."""
    contract: str = ""
    """Ask for this one only; empty lets skills decide."""
    corpus: str = "bundled"
    """``bundled``, a path, or empty for none."""
    memory_seeds: int = 2
    """Environments of the memory shown to learn from; 0 with ``memory_negatives`` 0 is the no-memory ablation."""
    memory_negatives: int = 1
    """Environments of it shown since they failed, with the reason."""
    strategy: str = "balanced"
    """How they are chosen (``memory.choosing.STRATEGIES``)."""
    novelty: str = "memory"
    """What a duplicate is measured against: ``memory``, ``off``."""
    repairs: int = 0
    """Times that findings are sent back; each reply is a sample of its own."""
    reward: str = "regret_shrunk"
    """``regret_shrunk``, ``regret_floored``, ``blend``, ``solve_rate``, ``learnability``, ``learning_potential``,
    ``micro_lp``."""
    plateau: tuple[float, float, float] = (0.4, 0.6, 0.25)
    """Low, high and ramp of the win rates that ``blend`` and ``solve_rate`` pay."""
    refusals: bool = True
    """Whether refused replies are samples (design 5.1); without, they are left out as in the paper's code."""
    guard: bool = True
    """Whether credit is capped at .25 without a plain success."""
    weight: float = 1.0
    """Factor of the designer's loss; 0 takes the paper's ``min(n_agent / n_designer * interval, 50)`` as a factor of
    its rewards instead."""
    temperature: float = 1.0
    """Of the designer; above 0."""
    top_p: float = 1.0
    """Of the designer; below 1 only with ``train.allow_truncated_sampling``."""
    top_k: int = 0
    """Most likely tokens that the designer draws from; 0 for all."""
    max_tokens: int = 16384
    """Of one reply."""

    def __post_init__(self) -> None:
        check = Checked("design", self)
        check.named("designer", DESIGNERS)
        check.named("task", TASKS)
        check.texts("pool", "corpus")
        check.whole("slots", 1, 100_000)
        check.whole("interval", 1, 10**6)
        check.whole("delay", 0, 10**6)
        check.names("skills", SKILLS)
        check.whole("window", 0, len(self.skills))
        check.named("difficulty", DIFFICULTIES)
        check.named("contract", ("", *CONTRACTS))
        check.whole("memory_seeds", 0, 8)
        check.whole("memory_negatives", 0, 8)
        check.named("strategy", STRATEGIES)
        check.named("novelty", NOVELTIES)
        check.whole("repairs", 0, 8)
        check.named("reward", REWARDS)
        check.numbers("plateau", 3, 0.0, 1.0)
        if self.plateau[0] > self.plateau[1]:
            low, high = self.plateau[:2]
            raise ConfigError(f"design.plateau is low, high and ramp: {low:g} is above {high:g}; swap them")
        check.flags("refusals", "guard")
        check.number("weight", 0.0, 1000.0)
        check.sampling()


@dataclass(frozen=True, kw_only=True)
class PlaySection:
    """``[play]``: how environments are played, the same in both arms."""

    plain: int = 8
    """Episodes without the hint per environment and cycle."""
    hinted: int = 8
    """Episodes with it, on the first of the same seeds; at most ``plain``."""
    max_turns: int = 25
    """Turn limit; an environment's own counts where it is lower."""
    group: str = "env"
    """Whose outcomes are compared: ``env``, or ``seed``: of the same environment and seed, ``repeats`` each."""
    repeats: int = 1
    """Episodes per seed."""
    temperature: float = 1.0
    """Of the agent in both arms; above 0."""
    top_p: float = 1.0
    """Of the agent; below 1 only with ``train.allow_truncated_sampling``."""
    top_k: int = 0
    """Most likely tokens that the agent draws from; 0 for all."""
    max_tokens: int = 8192
    """Of one turn."""
    context: int = 32768
    """Tokens of an episode."""
    overlong: str = "keep"
    """Episodes that were cut off: ``keep``, ``mask`` (not trained on) or ``penalise`` (outcome -1)."""
    episode_seconds: float = 1800.0
    """Deadline of one episode; one that meets it is missing data."""

    def __post_init__(self) -> None:
        check = Checked("play", self)
        check.whole("plain", 1, 100_000)
        check.whole("hinted", 0, 100_000)
        check.whole("max_turns", 1, 10_000)
        check.named("group", GROUPS)
        check.whole("repeats", 1, 1000)
        check.sampling()
        check.whole("context", 16, 10**7)
        check.named("overlong", OVERLONG)
        check.number("episode_seconds", 0.0, 86_400.0, above=True)


@dataclass(frozen=True, kw_only=True)
class TrainSection:
    """``[train]``: the update."""

    loss: str = "dr_grpo"
    """``grpo``, ``dapo``, ``dr_grpo``, ``bnpo`` or ``cispo``."""
    level: str = "token"
    """``token``, or ``sequence`` (GSPO)."""
    advantage: str = "centred"
    """Convention by name: ``centred``, ``spade``, ``trl``, ``verl``, ``slime``."""
    eps_low: float = 0.2
    """The ratio is clipped at 1 minus this."""
    eps_high: float = 0.28
    """The ratio is clipped at 1 plus this."""
    delta: float = 0.0
    """Upper bound of the ratio for negative advantages (dual clip); 0 for none."""
    kl: float = 0.0
    """Coefficient of k3 against the first weights."""
    kl_ratio: bool = False
    """Whether the k3 term is multiplied by the ratio, as TRL does."""
    correction: str = "token_truncate"
    """Of what sampler and learner differ in: ``none``, ``token_truncate``, ``token_mask``, ``sequence_truncate`` or
    ``sequence_mask``."""
    correction_cap: float = 2.0
    """Largest weight of a token or sequence; above it ``truncate`` cuts and ``mask`` leaves out."""
    lr: float = 1e-6
    """Learning rate of AdamW, constant."""
    betas: tuple[float, float] = (0.9, 0.98)
    """Of AdamW."""
    weight_decay: float = 0.1
    """Of AdamW."""
    clip_norm: float = 1.0
    """Largest norm of the gradient."""
    batch: int = 0
    """Trajectories of a step: the rest is left out, or inert ones are added; 0 takes what there is."""
    micro_tokens: int = 16384
    """Tokens, padding included, that go through the model at a time."""
    logprob_chunk: int = 2048
    """Tokens whose logits exist at a time; 0 for all."""
    max_staleness: int = 8
    """Versions by which a trajectory may lag."""
    drop_zero_variance: bool = False
    """Whether groups without signal are left out of loss and denominators."""
    allow_truncated_sampling: bool = False
    """Whether ``top_p`` below 1 and ``top_k`` above 0 are allowed, though the learner does not renormalise."""

    def __post_init__(self) -> None:
        check = Checked("train", self)
        check.named("loss", LOSSES)
        check.named("level", LEVELS)
        check.named("advantage", ADVANTAGES)
        check.number("eps_low", 0.0, 1.0)
        check.number("eps_high", 0.0, 1000.0)
        check.number("delta", 0.0, 1000.0)
        check.number("kl", 0.0, 1000.0)
        check.named("correction", CORRECTIONS)
        check.number("correction_cap", 0.0, 10**6, above=True)
        check.number("lr", 0.0, 1.0, above=True)
        check.numbers("betas", 2, 0.0, 1.0, below=True)
        check.number("weight_decay", 0.0, 10.0)
        check.number("clip_norm", 0.0, 10**6, above=True)
        check.whole("batch", 0, 10**7)
        check.whole("micro_tokens", 1, 10**8)
        check.whole("logprob_chunk", 0, 10**8)
        check.whole("max_staleness", 0, 10**6)
        check.flags("kl_ratio", "drop_zero_variance", "allow_truncated_sampling")
        if 0.0 < self.delta <= 1.0 + self.eps_low:
            least = 1.0 + self.eps_low
            raise ConfigError(
                f"train.delta must be 0, for none, or above 1 + eps_low = {least:g}, not {self.delta:g}: it bounds the "
                "ratio further out than clipping does"
            )


@dataclass(frozen=True, kw_only=True)
class EngineSection:
    """``[engine]``: the model, and what samples from it."""

    engine: str = "hf"
    """``hf``: transformers alone; ``vllm``: transformers beside ``vllm serve`` with LoRA; ``scripted``: no model;
    ``external``: verl, slime, TRL or prime-rl run the training, through ``spade_envs.adapters``."""
    model: str = "tiny"
    """Name or folder of a model; ``tiny`` makes one on the spot."""
    device: str = "auto"
    """``auto``, ``cpu``, ``cuda``, or ``cuda:1`` and so on, of the learner."""
    dtype: str = "bfloat16"
    """Of the weights: ``bfloat16``, ``float32`` or ``float16``."""
    lora_rank: int = 32
    """0 trains all weights."""
    lora_alpha: int = 64
    """Numerator of LoRA's factor; ``lora_rank`` is below it."""
    servers: tuple[str, ...] = ()
    """Base URLs, for ``vllm``."""
    adapters: str = ""
    """Folder where adapters are written, as the servers see it; empty for ``adapters`` in the run's folder."""
    gap_factor: float = 3.0
    """The mean gap of sampler and learner may be so many times that of version 0."""
    gap_floor: float = 1e-4
    """Gap that is fine in any case."""
    warm_up: int = 0
    """Supervised steps before the first cycle, for ``tiny`` and tasks that have examples."""

    def __post_init__(self) -> None:
        check = Checked("engine", self)
        check.named("engine", ENGINES)
        check.texts("model", "device", "adapters")
        check.filled("model", "name a model or its folder, or tiny")
        if self.device.partition(":")[0] not in DEVICES:
            check.named("device", DEVICES)
        check.named("dtype", DTYPES)
        check.whole("lora_rank", 0, 4096)
        check.whole("lora_alpha", 1, 65_536)
        check.urls("servers")
        check.number("gap_factor", 1.0, 10**6)
        check.number("gap_floor", 0.0, 100.0)
        check.whole("warm_up", 0, 10**6)


@dataclass(frozen=True, kw_only=True)
class Config:
    """A run of self-play."""

    run: RunSection = field(default_factory=RunSection)
    design: DesignSection = field(default_factory=DesignSection)
    play: PlaySection = field(default_factory=PlaySection)
    train: TrainSection = field(default_factory=TrainSection)
    engine: EngineSection = field(default_factory=EngineSection)

    def check(self) -> None:
        """See that the sections go together, and that nothing is set that would not be used.

        Raises:
            ConfigError: they do not; the message has a sentence for everything that is wrong.
        """
        wrong = disagreements(self)
        if wrong:
            raise ConfigError("\n".join(wrong))
