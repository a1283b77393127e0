import random

GENRES = ["folk", "jazz", "ska", "opera"]
ADJ = ["Silent", "Golden", "Broken", "Distant", "Electric", "Paper", "Crooked", "Velvet"]
NOUN = ["River", "Lantern", "Parade", "Harvest", "Window", "Comet", "Garden", "Engine"]


class JukeboxEnv(ToolUseBaseEnv):
    """Playlist editing over four requests; the solution is written as prose with calls in it."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        titles = rng.sample([f"{a} {n}" for a in ADJ for n in NOUN], 14)
        tracks = {f"trk{n}": {"title": t, "genre": rng.choice(GENRES), "seconds": s, "plays": rng.randint(0, 999)}
                  for n, t, s in zip(rng.sample(range(100, 999), 14), titles, rng.sample(range(95, 420), 14))}
        lists = {name: rng.sample(sorted(tracks), 4) for name in ("Morning", "Workout", "Dinner")}
        self._state = {"tracks": tracks, "lists": lists, "volume": rng.randrange(10, 91, 5), "likes": []}
        counts = {g: [t for t in tracks if tracks[t]["genre"] == g] for g in GENRES}
        self.genre = max(GENRES, key=lambda g: (len(counts[g]), g))
        self.longest = max(counts[self.genre], key=lambda t: (tracks[t]["seconds"], t))
        name1, name2 = rng.sample(sorted(lists), 2)
        self.into, self.out_of = name1, name2
        if self.longest in lists[name1]:
            lists[name1].remove(self.longest)
        self.gone = rng.choice(lists[name2])
        self.liked = rng.choice([t for t in tracks if t != self.longest])
        self.volume = rng.choice([v for v in range(15, 90, 5) if v != self._state["volume"]])
        self._user_messages = [
            f"Add the longest {self.genre} track to my {name1} list.",
            f"'{tracks[self.gone]['title']}' does not belong on the {name2} list, take it off.",
            f"I love '{tracks[self.liked]['title']}'. Like it for me.",
            f"Volume to {self.volume}, please.",
        ]
        self._message_criteria = [
            lambda s: self.longest in s["lists"][self.into],
            lambda s: self.gone not in s["lists"][self.out_of],
            lambda s: self.liked in s["likes"],
            lambda s: s["volume"] == self.volume,
        ]
        props = {"track": {"type": "string"}, "playlist": {"type": "string", "enum": ["Morning", "Workout", "Dinner"]}}
        self._tools = {
            "by_genre": {"description": "Tracks of a genre with lengths (mm:ss).", "parameters": {
                "type": "object", "properties": {"genre": {"type": "string", "enum": GENRES}, "sort": {"type": "string", "enum": ["title", "plays"], "default": "title"}}, "required": ["genre"]}},
            "by_title": {"description": "Track id of a title.", "parameters": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}},
            "add_track": {"description": "Append to a playlist.", "parameters": {"type": "object", "properties": props, "required": ["track", "playlist"]}},
            "remove_track": {"description": "Take off a playlist.", "parameters": {"type": "object", "properties": props, "required": ["track", "playlist"]}},
            "like": {"description": "Like a track.", "parameters": {"type": "object", "properties": {"track": {"type": "string"}}, "required": ["track"]}},
            "volume": {"description": "Set the volume.", "parameters": {"type": "object", "properties": {"value": {"type": "integer", "minimum": 0, "maximum": 100}}, "required": ["value"]}},
        }
        return f"You operate a jukebox. {self._user_messages[0]}", {}

    def tool_by_genre(self, genre, sort="title"):
        rows = sorted((d[sort], t, d) for t, d in self._state["tracks"].items() if d["genre"] == genre)
        return "\n".join(f"{t}  {d['title']}  {d['seconds'] // 60:02d}:{d['seconds'] % 60:02d}" for _, t, d in rows) or "none"

    def tool_by_title(self, title):
        return ", ".join(t for t, d in self._state["tracks"].items() if title.lower() in d["title"].lower()) or "none"

    def tool_add_track(self, track, playlist):
        if track not in self._state["tracks"]:
            return "Error: unknown track"
        self._state["lists"][playlist].append(track)
        return f"{playlist}: {len(self._state['lists'][playlist])} tracks"

    def tool_remove_track(self, track, playlist):
        if track not in self._state["lists"][playlist]:
            return f"Error: not on {playlist}"
        self._state["lists"][playlist].remove(track)
        return "removed"

    def tool_like(self, track):
        if track not in self._state["tracks"]:
            return "Error: unknown track"
        self._state["likes"].append(track)
        return "liked"

    def tool_volume(self, value):
        if not 0 <= value <= 100:
            return "Error: 0 to 100"
        self._state["volume"] = value
        return f"volume {value}"

    def solution(self):
        t = self._state["tracks"]
        return (f"1. by_genre(genre='{self.genre}') -> compare lengths\n"
                f"2. add_track(track='{self.longest}', playlist='{self.into}')\n"
                f"3. by_title(title='{t[self.gone]['title']}') -> id\n"
                f"4. remove_track(track='{self.gone}', playlist='{self.out_of}')\n"
                f"5. by_title(title='{t[self.liked]['title']}')\n"
                f"6. like(track='{self.liked}')\n"
                f"7. volume(value={self.volume})\n"
                "Then submit <answer>done</answer>")
