"""Plays OpenSpiel's hearts at random, for as many seconds of processor time as each line of the input says, and answers
with the decisions it came to and the time they took. The whole game runs in C++; cards dealt by chance are no decisions.

Needs the Python package `open_spiel`. `cargo bench -- hearts` starts it, and lets it take its turn in every round.
"""

import random
import sys
import time

import pyspiel

game = pyspiel.load_game("hearts")
bots = [pyspiel.make_uniform_random_bot(player, 100 + player) for player in range(game.num_players())]


def decisions():
    """Those of one random game."""
    state, made, chance = game.new_initial_state(), 0, random.Random(made_games)
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(chance.choices(actions, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            made += 1
    return made


made_games = 0
total = 0
for made_games in range(30):
    total += decisions()
in_a_game = total / 30

seed = 0
for line in sys.stdin:
    games, begun = 0, time.process_time()
    while time.process_time() - begun < float(line):
        for _ in range(5):
            seed += 1
            games += 1
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    print(round(games * in_a_game), time.process_time() - begun, flush=True)
