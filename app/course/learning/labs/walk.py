"""A walk of the lab: the steps of both ways, and what the tutor says to the last one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from app.course.items.marks import Mood
from app.course.learning.labs.lambdarank import MOST_STEPS, LabSetting
from app.engine.pairwise import lambdarank
from app.engine.pairwise.descent import DescentState, descent
from app.engine.rounding import FLOAT_NOISE

STEPS_AHEAD = 10
"""Drawings are measured for so many steps at least, so that they stay still at first."""
LEAST_PRINTED_FORCE = 5e-4
"""Forces below are printed as 0."""
SWAP_CONVENTION = "exact"
"""How ΔNDCG is computed: what the swap of a pair does change, also with a cut-off."""

DocumentPair = lambdarank.DocumentPair


@dataclass(frozen=True)
class Walk:
    """The steps of the chosen way, and beside it those of the other one."""

    setting: LabSetting

    @property
    def present_state(self) -> DescentState:
        return self.states_ahead[self.setting.steps]

    @property
    def former_state(self) -> DescentState | None:
        if self.setting.steps == 0:
            return None
        return self.states_ahead[self.setting.steps - 1]

    @property
    def next_state(self) -> DescentState:
        return self.states_ahead[self.setting.steps + 1]

    @property
    def states_so_far(self) -> Sequence[DescentState]:
        """The chosen way, from the start to here."""
        return self.states_ahead[: self.setting.steps + 1]

    @cached_property
    def states_ahead(self) -> Sequence[DescentState]:
        """The chosen way, a little farther than here."""
        return self._states(self.setting.weight)

    @cached_property
    def other_states(self) -> Sequence[DescentState]:
        """The other way, as far as this one."""
        other_weight_name = "ndcg"
        if self.setting.weight == "ndcg":
            other_weight_name = "none"
        return self._states(other_weight_name)[: self.setting.steps + 1]

    @property
    def states_of_both_ways(self) -> tuple[Sequence[DescentState], Sequence[DescentState]]:
        """LambdaRank, and pairs alone."""
        if self.setting.weight == "ndcg":
            return self.states_so_far, self.other_states
        return self.other_states, self.states_so_far

    @cached_property
    def pairwise_rate(self) -> float:
        """The learning rate of pairs alone: a smaller one where the force is to be the same.

        >>> round(Walk(LabSetting()).pairwise_rate, 3)
        0.068
        """
        lab_setting = self.setting
        if lab_setting.fair == "rate":
            return lab_setting.rate
        document_pairs = lambdarank.pairs(
            lab_setting.grades,
            lab_setting.scores,
            lab_setting.sigma,
            lab_setting.k,
            lab_setting.gain,
            SWAP_CONVENTION,
        )
        weighted_sum = sum(document_pair.rho * document_pair.delta_ndcg for document_pair in document_pairs)
        if weighted_sum <= 0:
            return lab_setting.rate
        return lab_setting.rate * (weighted_sum / sum(document_pair.rho for document_pair in document_pairs))

    def _states(self, pair_weight_name: str) -> Sequence[DescentState]:
        lab_setting = self.setting
        learning_rate = lab_setting.rate
        if pair_weight_name == "none":
            learning_rate = self.pairwise_rate
        return descent(
            lab_setting.grades,
            lab_setting.scores,
            max(lab_setting.steps + 1, STEPS_AHEAD),
            learning_rate,
            lab_setting.sigma,
            lab_setting.k,
            lab_setting.gain,
            SWAP_CONVENTION,
            pair_weight_name,
        )

    @property
    def measure_name(self) -> str:
        """NDCG, or NDCG@k."""
        if self.setting.k is None:
            return "NDCG"
        return f"NDCG@{self.setting.k}"

    @property
    def ranking(self) -> list[int]:
        """The places of the documents, first rank first."""
        ranks = self.present_state.ranks
        return sorted(range(len(ranks)), key=lambda document_index: ranks[document_index])

    @cached_property
    def strongest_pair(self) -> DocumentPair | None:
        """The pair that pushes most, if any pushes."""
        document_pair = max(
            self.present_state.pairs, key=lambda document_pair: document_pair.force, default=None
        )
        if document_pair is None or document_pair.force <= LEAST_PRINTED_FORCE:
            return None
        return document_pair

    @property
    def mood(self) -> Mood:
        """How the tutor looks at the last step."""
        if self.former_state is None or abs(self.present_state.ndcg - self.former_state.ndcg) < FLOAT_NOISE:
            return "thinking"
        if self.present_state.ndcg > self.former_state.ndcg:
            return "pleased"
        return "puzzled"

    def sentences(self) -> list[str]:
        """What the tutor says, sentence by sentence."""
        return [self._last_step_sentence(), self._strongest_pair_sentence()]

    def _last_step_sentence(self) -> str:
        former_state = self.former_state
        present_state = self.present_state
        measure_name = self.measure_name
        if not present_state.pairs:
            return "四篇一样甜，没有谁该排在谁前面：凑不出一对，也就没有力。换几颗糖再试。"
        if former_state is None:
            return f"起点：{measure_name}是{present_state.ndcg:.3f}。每颗糖旁边的箭头，就是它这会儿受的力。"
        if present_state.ranks != former_state.ranks:
            change_words = _change_words(former_state.ndcg, present_state.ndcg)
            return f"{self._overtaking_words(former_state)}，{measure_name}{change_words}。"
        if present_state.ndcg > 1 - FLOAT_NOISE:
            return f"名次没变，{measure_name}早到顶了。λ还没歇着：它想把差距再拉开些，只是力气越来越小。"
        return (
            f"名次没变，{measure_name}就一动不动，好像什么也没发生。可模型分在悄悄靠近：λ知道该往哪边使劲。"
        )

    def _overtaking_words(self, former_state: DescentState) -> str:
        """Which documents passed which with the last step."""
        candy_names = self.setting.names
        present_state = self.present_state
        overtaking_clauses = []
        for gaining_index, losing_index in permutations(self.ranking, 2):
            if (
                former_state.ranks[gaining_index] > former_state.ranks[losing_index]
                and present_state.ranks[gaining_index] < present_state.ranks[losing_index]
            ):
                overtaking_clauses.append(f"{candy_names[gaining_index]}超过了{candy_names[losing_index]}")
        return "，".join(overtaking_clauses)

    def _strongest_pair_sentence(self) -> str:
        strongest_pair = self.strongest_pair
        candy_names = self.setting.names
        if not self.present_state.pairs:
            return ""
        if strongest_pair is None:
            return "每一对的力都小得印不出来了：差距已经拉得够开。"
        order_words = (
            f"{candy_names[strongest_pair.better_index]}要在{candy_names[strongest_pair.worse_index]}前面"
        )
        pair_sentence = f"最使劲的一对：{order_words}，λ={strongest_pair.force:.3f}。"
        if self.setting.steps == MOST_STEPS:
            return f"走满{MOST_STEPS}步了，再往下都差不多：换一套设置试试。"
        if self.setting.weight == "none":
            return f"{pair_sentence}这一路只问排反了多少，不问换过来值多少。"
        ranks = self.present_state.ranks  # not scores: of two equal ones the better may stand behind
        if ranks[strongest_pair.better_index] > ranks[strongest_pair.worse_index]:
            return f"{pair_sentence}把它俩对调，{self.measure_name}能涨{strongest_pair.delta_ndcg:.3f}。"
        return f"{pair_sentence}要是它俩对调，{self.measure_name}会跌{strongest_pair.delta_ndcg:.3f}。"


def _change_words(ndcg_before: float, ndcg_after: float) -> str:
    if abs(ndcg_after - ndcg_before) < FLOAT_NOISE:
        return f"还是{ndcg_after:.3f}：这两位对调，它看不出差别"
    if ndcg_after > ndcg_before:
        return f"从{ndcg_before:.3f}涨到{ndcg_after:.3f}"
    return f"从{ndcg_before:.3f}跌到{ndcg_after:.3f}"
