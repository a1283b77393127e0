import random
import json
import re


class MailboxEnv(ToolUseBaseEnv):
    """Mailbox chores with search, folders, drafts. The environment advances the requests itself."""

    def __init__(self, max_turns=25, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        people = {n: f"{n.lower()}.{rng.choice(['kern', 'lopez', 'moss', 'nagy'])}@{d}.example" for n, d in
                  zip(rng.sample(["Irma", "Jonas", "Kei", "Lotte", "Mirko", "Nele", "Otis"], 6), ["acme", "brix", "corvo", "delta", "exum", "fabra"])}
        subjects = rng.sample(["invoice", "holiday plans", "contract draft", "server outage", "lunch", "visa papers", "parking permit", "team photo", "quote"], 9)
        mails = {}
        for n, subject in zip(rng.sample(range(10000, 99999), 9), subjects):
            sender = rng.choice(list(people))
            mails[f"m{n}"] = {"from": people[sender], "subject": subject, "folder": "inbox", "read": False, "flag": False,
                              "body": f"{subject.capitalize()}, reference {rng.randint(100000, 999999)}."}
        ids = rng.sample(sorted(mails), 4)
        self.ids = ids
        self.folder = rng.choice(["travel", "paid", "projects"])
        self.to_name = rng.choice([n for n in people if people[n] != mails[ids[1]]["from"]])
        self.to = people[self.to_name]
        self.ref = re.search(r"\d+", mails[ids[3]]["body"]).group()
        self._state = {"mails": mails, "people": people, "sent": [], "forwarded": []}
        m = mails
        self._user_messages = [
            f"Put the mail about '{m[ids[0]]['subject']}' into the folder {self.folder}.",
            f"Forward the one about '{m[ids[1]]['subject']}' to {self.to_name}.",
            f"Flag the mail about '{m[ids[2]]['subject']}'.",
            f"Write to the sender of '{m[ids[3]]['subject']}', quoting the reference number of that mail.",
        ]
        self._message_criteria = [
            lambda s: s["mails"][ids[0]]["folder"] == self.folder,
            lambda s: [ids[1], self.to] in s["forwarded"],
            lambda s: s["mails"][ids[2]]["flag"],
            lambda s: any(x["to"] == s["mails"][ids[3]]["from"] and self.ref in x["body"] for x in s["sent"]),
        ]
        st = {"type": "string"}
        self._tools = {
            "search": {"description": "Find mails by words of the subject.", "parameters": {"type": "object", "properties": {"words": st}, "required": ["words"]}},
            "open_mail": {"description": "Show a mail in full.", "parameters": {"type": "object", "properties": {"mail_id": st}, "required": ["mail_id"]}},
            "move_mail": {"description": "Move to a folder.", "parameters": {"type": "object", "properties": {"mail_id": st, "folder": {"type": "string", "enum": ["inbox", "travel", "paid", "projects", "trash"]}}, "required": ["mail_id", "folder"]}},
            "forward": {"description": "Forward a mail.", "parameters": {"type": "object", "properties": {"mail_id": st, "address": st}, "required": ["mail_id", "address"]}},
            "flag": {"description": "Flag a mail.", "parameters": {"type": "object", "properties": {"mail_id": st}, "required": ["mail_id"]}},
            "address_book": {"description": "Address of a person.", "parameters": {"type": "object", "properties": {"name": st}, "required": ["name"]}},
            "send": {"description": "Send a new mail.", "parameters": {"type": "object", "properties": {"address": st, "body": st, "subject": st}, "required": ["address", "body"]}},
        }
        return f"Mailbox task 1 of {len(self._user_messages)}: {self._user_messages[0]}", {"unread": 9}

    def _check_progress(self):
        """Advance over the pending request and return the text to append."""
        i = self._current_msg
        if i < len(self._message_criteria) and self._message_criteria[i](self._state):
            self._current_msg += 1
            if self._current_msg < len(self._user_messages):
                return f"\n\nMailbox task {self._current_msg + 1} of {len(self._user_messages)}: {self._user_messages[self._current_msg]}"
            return "\n\nAll tasks are finished. Send <answer>done</answer>."
        return ""

    def tool_search(self, words):
        hits = {k: {"subject": v["subject"], "from": v["from"]} for k, v in self._state["mails"].items() if words.lower() in v["subject"]}
        return json.dumps(hits) if hits else "no mail found"

    def tool_open_mail(self, mail_id):
        v = self._state["mails"][mail_id]
        v["read"] = True
        return json.dumps(v) + self._check_progress()

    def tool_move_mail(self, mail_id, folder):
        self._state["mails"][mail_id]["folder"] = folder
        return "moved" + self._check_progress()

    def tool_forward(self, mail_id, address):
        if mail_id not in self._state["mails"] or "@" not in address:
            return "Error: mail or address unknown"
        self._state["forwarded"].append([mail_id, address])
        return "forwarded" + self._check_progress()

    def tool_flag(self, mail_id):
        self._state["mails"][mail_id]["flag"] = True
        return "flagged" + self._check_progress()

    def tool_address_book(self, name):
        return self._state["people"].get(name.strip().capitalize(), "Error: not in the address book")

    def tool_send(self, address, body, subject="(none)"):
        self._state["sent"].append({"to": address, "subject": subject, "body": body})
        return "sent" + self._check_progress()

    def solution(self):
        m, (a, b, c, d) = self._state["mails"], self.ids
        plan = [("search", {"words": m[a]["subject"]}), ("move_mail", {"mail_id": a, "folder": self.folder}),
                ("search", {"words": m[b]["subject"]}), ("address_book", {"name": self.to_name}), ("forward", {"mail_id": b, "address": self.to}),
                ("search", {"words": m[c]["subject"]}), ("flag", {"mail_id": c}), ("search", {"words": m[d]["subject"]}), ("open_mail", {"mail_id": d}),
                ("send", {"address": m[d]["from"], "body": f"Regarding reference {self.ref}: thank you, I will get back to you."})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": x}) + "</tool_call>" for n, x in plan] + ["<answer>done</answer>"]
