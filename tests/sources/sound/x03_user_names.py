"""Account office: user names follow a rule and are composed by the clerk."""
import json
import random

FIRST = ["Anton", "Bruna", "Cyril", "Dora", "Emre", "Flavia", "Goro", "Helga"]
LAST = ["Moretti", "Kaplan", "Svensson", "Okoye", "Tanaka", "Weiss", "Duarte", "Petrova"]


class AccountOfficeEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=15, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        people = [{"name": f"{f} {l}", "born": rng.randint(1950, 2004), "badge": rng.randint(1000, 9999)}
                  for f, l in zip(rng.sample(FIRST, 6), rng.sample(LAST, 6))]
        self.new, self.mail, self.old = rng.sample(people, 3)
        user = lambda p: (p["name"][0] + p["name"].split()[1]).lower() + str(p["born"])[-2:]
        self.host = f"{rng.choice(['mars', 'juno', 'vesta'])}.{rng.choice(['lab', 'office'])}.example"
        self._state = {"people": people, "accounts": {user(self.old): "active"}, "aliases": {}, "domain": self.host}
        self.u_new, self.u_old = user(self.new), user(self.old)
        self.alias = f"{self.mail['name'].split()[0].lower()}{self.mail['badge']}@{self.host}"
        self._user_messages = [
            f"Create an account for {self.new['name']}.",
            f"Give {self.mail['name']} a mail alias: first name in small letters directly followed by the badge number, at our domain.",
            f"{self.old['name']} has left, disable that account.",
        ]
        self._message_criteria = [
            lambda s: s["accounts"].get(self.u_new) == "active",
            lambda s: s["aliases"].get(self.mail["name"]) == self.alias,
            lambda s: s["accounts"].get(self.u_old) == "disabled",
        ]
        S = {"type": "string"}
        spec = lambda d, **p: {"description": d, "parameters": {"type": "object", "properties": p, "required": list(p)}}
        self._tools = {
            "person": spec("Record of a person.", name=S),
            "policy": spec("Rules for user names, and the mail domain."),
            "create_account": spec("Create an account.", username=S),
            "set_alias": spec("Set a mail alias.", name=S, address=S),
            "disable_account": spec("Disable an account.", username=S),
        }
        return "Account office. " + self._user_messages[0], {}

    def tool_person(self, name):
        return json.dumps([p for p in self._state["people"] if name.lower() in p["name"].lower()])

    def tool_policy(self):
        return ("User name: initial of the first name, last name, last two digits of the year of birth, all in small letters and "
                f"without spaces. Mail domain: {self._state['domain']}")

    def tool_create_account(self, username):
        if username in self._state["accounts"]:
            return "Error: exists already."
        if username != self.u_new and username not in [self.u_old]:
            return "Error: the name breaks the policy."
        self._state["accounts"][username] = "active"
        return f"{username} created."

    def tool_set_alias(self, name, address):
        self._state["aliases"][name] = address
        return f"Alias of {name}: {address}"

    def tool_disable_account(self, username):
        if username not in self._state["accounts"]:
            return "Error: no such account."
        self._state["accounts"][username] = "disabled"
        return f"{username} disabled."

    def solution(self):
        plan = [("policy", {}), ("person", {"name": self.new["name"]}), ("create_account", {"username": self.u_new}),
                ("person", {"name": self.mail["name"]}), ("set_alias", {"name": self.mail["name"], "address": self.alias}),
                ("person", {"name": self.old["name"]}), ("disable_account", {"username": self.u_old})]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in plan] + ["<answer>done</answer>"]
