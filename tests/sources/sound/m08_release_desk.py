"""Release manager of a small repository: branches, commits, version tags."""
import json
import random
import re


class ReleaseDeskEnv(ToolUseBaseEnv):
    MODULES = ["parser", "router", "cache", "mailer", "export", "themes"]

    def __init__(self, max_turns=22, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        major, minor, patch = rng.randint(1, 6), rng.randint(0, 14), rng.randint(0, 9)
        self.last = f"v{major}.{minor}.{patch}"
        tags = [f"v{major}.{m}.{rng.randint(0, 9)}" for m in range(max(0, minor - 2), minor)] + [self.last]
        sha = lambda: f"{rng.randrange(16 ** 7):07x}"
        mods = rng.sample(self.MODULES, 4)
        branches = {"main": [{"sha": sha(), "text": "initial import"}]}
        for m in mods:
            kind = rng.choice(["fix", "feature"])
            branches[f"{kind}/{m}"] = [{"sha": sha(), "text": f"{kind} in {m}, part {k}"} for k in range(1, rng.randint(2, 4))]
        names = [b for b in branches if b != "main"]
        rng.shuffle(names)
        self.merge_branch, self.pick_branch, self.drop_branch = names[:3]
        self.pick = branches[self.pick_branch][-1]["sha"]
        self.bump = rng.choice(["patch", "minor", "major"])
        self.next = {"patch": f"v{major}.{minor}.{patch + 1}", "minor": f"v{major}.{minor + 1}.0", "major": f"v{major + 1}.0.0"}[self.bump]
        self._state = {"branches": branches, "tags": tags, "deleted": [], "merged": []}
        self._user_messages = [
            f"Merge {self.merge_branch} into main.",
            f"Cherry-pick the newest commit of {self.pick_branch} onto main.",
            f"Delete the branch {self.drop_branch}, nobody needs it.",
            f"Tag main with the next {self.bump} version after the latest tag (tags look like v0.0.0).",
        ]
        self._message_criteria = [
            lambda s: self.merge_branch in s["merged"],
            lambda s: any(c["sha"] == self.pick for c in s["branches"]["main"]),
            lambda s: self.drop_branch in s["deleted"],
            lambda s: self.next in s["tags"],
        ]
        S = {"type": "string"}
        one = lambda **p: {"type": "object", "properties": p, "required": list(p)}
        self._tools = {
            "branches": {"description": "Names of all branches.", "parameters": one()},
            "log": {"description": "Commits of a branch, oldest first.", "parameters": one(branch=S)},
            "merge": {"description": "Merge a branch into main.", "parameters": one(branch=S)},
            "cherry_pick": {"description": "Copy one commit onto main.", "parameters": one(sha=S)},
            "delete_branch": {"description": "Delete a branch.", "parameters": one(branch=S)},
            "tags": {"description": "All tags, oldest first.", "parameters": one()},
            "create_tag": {"description": "Tag main. The tag must be newer than the latest one.", "parameters": one(tag=S)},
        }
        return "You look after a repository. " + self._user_messages[0], {}

    def tool_branches(self):
        return ", ".join(self._state["branches"])

    def tool_log(self, branch):
        if branch not in self._state["branches"]:
            return "fatal: no such branch"
        return "\n".join(f"{c['sha']} {c['text']}" for c in self._state["branches"][branch])

    def tool_merge(self, branch):
        if branch == "main" or branch not in self._state["branches"]:
            return "fatal: nothing to merge"
        if branch == self.pick_branch or branch == self.drop_branch:
            return "fatal: conflicts, merge aborted"
        self._state["branches"]["main"] += self._state["branches"][branch]
        self._state["merged"].append(branch)
        return f"merged {branch}"

    def tool_cherry_pick(self, sha):
        for b, commits in self._state["branches"].items():
            for c in commits:
                if b != "main" and c["sha"] == sha:
                    self._state["branches"]["main"].append(dict(c))
                    return f"picked {sha}"
        return "fatal: unknown commit"

    def tool_delete_branch(self, branch):
        if branch == "main" or branch not in self._state["branches"]:
            return "fatal: cannot delete that"
        if self._current_msg < 2:
            return "fatal: branch is protected until the merges are through"
        del self._state["branches"][branch]
        self._state["deleted"].append(branch)
        return f"deleted {branch}"

    def tool_tags(self):
        return "\n".join(self._state["tags"])

    def tool_create_tag(self, tag):
        m = re.fullmatch(r"v(\d{1,4})\.(\d{1,4})\.(\d{1,4})", tag, re.ASCII)
        if not m:
            return "fatal: a tag looks like v0.0.0"
        key = lambda t: [int(x) for x in t[1:].split(".")]
        if key(tag) <= key(self.last):
            return "fatal: not newer than the latest tag"
        self._state["tags"].append(tag)
        return f"tagged {tag}"

    def solution(self):
        c = lambda n, **a: "<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>"
        return [c("merge", branch=self.merge_branch), c("log", branch=self.pick_branch), c("cherry_pick", sha=self.pick),
                c("delete_branch", branch=self.drop_branch), c("tags"), c("create_tag", tag=self.next), "<answer>done</answer>"]
