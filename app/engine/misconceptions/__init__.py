"""Executable misconceptions: wrong models that compute what a learner who believes them would get.

working         the way from a question to a number, step by step
shares          the same for precision and the other measures that divide by a count
misconception   that way with one step replaced; two of different steps therefore compose
gain_models, discount_models, sum_models, ideal_models, ratio_models
                the misconceptions of NDCG, by the step that they break
relevance_models, rank_models, reader_models, divisor_models
                those of the shares
tables          those of questions about a table: coins, agreement of judges, clicks by position
differing_rows  the row in which a wrong working first leaves the right one
table           all of them, and what they predict
wrong_figure    a learner's number beside the right one: rounded too soon, which is no misconception but a
                verdict of its own, how near a figure must come to explain it, and which of them do
"""

from app.engine.misconceptions.differing_rows import DifferingRow, differing_row
from app.engine.misconceptions.misconception import STEPS, Misconception
from app.engine.misconceptions.table import MISCONCEPTIONS, predictions

__all__ = ["MISCONCEPTIONS", "STEPS", "DifferingRow", "Misconception", "differing_row", "predictions"]
