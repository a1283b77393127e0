# expect: refuse static.syntax
class OldEnv:
    def reset(self, seed=None):
        print 'reset'
        return 'x', {}
