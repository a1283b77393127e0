import random, re, sys, traceback, logging, warnings, time, uuid

logging.basicConfig(level=logging.DEBUG, format="%(asctime)s", handlers=[logging.StreamHandler(sys.stdout)])
log = logging.getLogger("env"); sys.setrecursionlimit(5000); warnings.filterwarnings("ignore")
DEBUG = False
class ProductEnv:
    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns; self.session_id = str(uuid.uuid4()); self.started = time.time()
        try: self.reset()
        except Exception:
            log.error(traceback.format_exc()); raise
    def reset(self, seed=None):
        if seed is not None: random.seed(seed)
        self.t = 0; self.a, self.b = random.randint(10, 99), random.randint(10, 99)
        if DEBUG: print("DEBUG", self.__dict__, file=sys.stderr)
        return self._q(), {"session": self.session_id, "elapsed": round(time.time() - self.started, 1)}
    def step(self, action):
        self.t += 1
        try: ok = self._grade(action)
        except (ValueError, TypeError) as e:
            traceback.print_exc(); return f"Error: {e}", 0.0, False, False, {"trace": traceback.format_exc()}
        except BaseException: raise
        finally: log.info("step %d", self.t)
        return ("yes" if ok else "no"), float(ok), ok, self.t >= self.max_turns and not ok, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
