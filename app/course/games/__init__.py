"""The games: what they ask, from a seed; how a move is judged; how a play stands after its moves.

    days          今天这一局: the seed of a day, the same for everybody
    duel          谁的推荐更懂我: eight rounds, each with a promise that can be checked
    duel_play     a duel after the moves so far, and what a further move comes to
    monster       击败DCG怪兽: one calculation as a row of strokes
    monster_play  a battle after the moves so far, and what a further move comes to
    judging       下一篇标谁: which unjudged document to pay for, until the better system is certain
    interleaving  交替上菜: two menus served as one, and whose dishes were taken
    pushing       分力气: a hundred units of push over the pairs of a list, as LambdaRank spreads them
    pushing_play  a play of it after its moves, and how what was typed is read
    moves         what a move is to a game, and what it comes to
    ranked_lists  grades, and rankings of two sides as indexes in them
    words         what games.yaml says; every misconception of a stroke has its attack

A play is nothing but a seed and the moves made in it: whoever holds both sees the same play.
"""

from app.course.games.words import Games

__all__ = ["Games"]
