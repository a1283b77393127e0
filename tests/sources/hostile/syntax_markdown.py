# expect: refuse static.syntax
Here is the environment:

```python
class MarkEnv:
    pass
```
