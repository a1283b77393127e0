# expect: refuse static.class | static.syntax
"""Comments only."""
# The environment will be here soon.
