"""Play a game against a bot through `ziggurat serve`, with the standard library alone: random legal turns for seat 0.

python serve_client.py [GAME [PRESET]]
"""

import json
import random
import subprocess
import sys
from itertools import count


class Server:
    """A server in a process of its own: `ask` sends a request and returns its result."""

    def __init__(self):
        command = [sys.executable, "-m", "ziggurat", "serve", "--stdio"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.numbers = count(1)

    def ask(self, command, **fields):
        request = {"id": next(self.numbers), "command": command, **fields}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(f"{answer['error']['code']}: {answer['error']['message']}")
        return answer["result"]

    def close(self):
        self.ask("quit")
        self.process.communicate()


def play(server, name, preset=None):
    game = server.ask("new", name=name, preset=preset, bots={"0": None, "*": "greedy"})["game"]
    me = {"game": game, "seat": 0}
    view = server.ask("view", **me)
    while not view["terminal"]:
        if view["to_move"] == 0:
            turn = random.choice(server.ask("legal", **me, limit=1000)["turns"])
            played = server.ask("play", **me, actions=turn["actions"])
        else:
            played = server.ask("bot", **me)
        print(f"seat {played['turn']['player']}: {played['turn']['turn']}")
        view = server.ask("view", **me)
    print(view["drawing"])
    print(f"points {view['scores']}, won by {view['winners']}")


if __name__ == "__main__":
    server = Server()
    play(server, *(sys.argv[1:] or ["blokus", "duo"]))
    server.close()
