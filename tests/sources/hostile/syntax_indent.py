# expect: refuse static.syntax
class HalfEnv:
    def reset(self, seed=None):
    return 'x', {}
