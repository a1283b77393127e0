# expect: refuse static.syntax | static.class
# -*- coding: no-such-codec -*-
class CodecEnv:
    pass
