# prose solution (numbered tool calls), multi-turn instructions, long-ish mails via string templates
import random
from string import Template

MAIL = Template("From: $sender\nSubject: $subject\n\nDear all,\n$body\nKind regards,\n$sender")
SENDERS = ["Mira", "Stellan", "Ruta", "Pascal", "Oona", "Levent"]
TOPICS = ["the roof repair", "parking permits", "the summer party", "an unpaid invoice", "new badges", "the coffee machine", "lost luggage"]
FOLDERS = ["facilities", "finance", "events", "later"]


class MailTriageEnv(ToolUseBaseEnv):
    """Sort a mailbox by what the mails say, not by their subject lines."""

    def __init__(self, max_turns=25, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        topics = rng.sample(TOPICS, 5)
        mails = {}
        for number, topic in zip(rng.sample(range(100, 999), 5), topics):
            body = "this is about " + topic + f". It should be settled by day {rng.randint(2, 28)}.\nMy desk is {rng.randint(100, 999)}."
            mails[f"mail-{number}"] = {"sender": rng.choice(SENDERS), "subject": rng.choice(["Hello", "Urgent", "Question", "Re: Re: list"]),
                                       "body": body, "topic": topic, "folder": "inbox", "reply": None}
        self._state = {"mails": mails}
        self.ids = sorted(mails)
        self.first, self.second = rng.sample(self.ids, 2)
        self.folder = rng.choice(FOLDERS)
        self.digits = mails[self.second]["body"].split("desk is ")[1].rstrip(".")
        text = {"type": "string"}
        self._tools = {
            "list_inbox": {"description": "Ids, senders and subjects of all mails.", "parameters": {"type": "object", "properties": {}, "required": []}},
            "read": {"description": "The text of one mail.", "parameters": {"type": "object", "properties": {"mail_id": text}, "required": ["mail_id"]}},
            "file": {"description": "Put a mail into a folder.",
                     "parameters": {"type": "object", "properties": {"mail_id": text, "folder": {"type": "string", "enum": FOLDERS}},
                                    "required": ["mail_id", "folder"]}},
            "reply": {"description": "Answer a mail with a short text.",
                      "parameters": {"type": "object", "properties": {"mail_id": text, "text": text}, "required": ["mail_id", "text"]}},
        }
        one, two = mails[self.first]["topic"], mails[self.second]["topic"]
        self._user_messages = [
            f"Somebody wrote about {one}. File that mail under '{self.folder}'; leave all others in the inbox.",
            f"Reply to the mail about {two} with nothing but the desk number that is given in it.",
        ]
        self._message_criteria = [
            lambda s: [i for i, m in sorted(s.get("mails", {}).items()) if m.get("folder") == self.folder] == [self.first],
            lambda s: (s.get("mails", {}).get(self.second, {}).get("reply") or "").strip() == self.digits,
        ]
        return (self._user_messages[0] + " Tools: list_inbox(), read(mail_id), file(mail_id, folder), reply(mail_id, text), as "
                "<tool_call>{\"name\": \"list_inbox\", \"arguments\": {}}</tool_call>. Another request follows. Last of all: "
                f"<answer>done</answer>. {self.max_turns} turns."), {}

    def tool_list_inbox(self):
        return "\n".join(f"{i} [{m['folder']}] {m['sender']}: {m['subject']}" for i, m in sorted(self._state["mails"].items()))

    def tool_read(self, mail_id):
        m = self._state["mails"].get(mail_id)
        return MAIL.substitute(sender=m["sender"], subject=m["subject"], body=m["body"]) if m else "There is no such mail."

    def tool_file(self, mail_id, folder):
        if mail_id not in self._state["mails"] or folder not in FOLDERS:
            return "There is no such mail or folder."
        self._state["mails"][mail_id]["folder"] = folder
        return f"{mail_id} lies in {folder} now."

    def tool_reply(self, mail_id, text):
        if mail_id not in self._state["mails"]:
            return "There is no such mail."
        self._state["mails"][mail_id]["reply"] = text[:500]
        return "Sent."

    def solution(self):
        reads = "\n".join(f"{k}. read(mail_id='{i}')" for k, i in enumerate(self.ids, 2))
        return (f"1. list_inbox()\n{reads}\n7. file(mail_id='{self.first}', folder='{self.folder}')\n"
                f"8. reply(mail_id='{self.second}', text='{self.digits}')\nANSWER: done")

    def hint(self):
        return "Subjects mislead; read before you file."
