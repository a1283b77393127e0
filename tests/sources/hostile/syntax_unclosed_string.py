# expect: refuse static.syntax
class TextEnv:
    x = '''never closed
