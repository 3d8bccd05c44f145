"""交替上菜 as a player sees it: two menus, the table as far as it is served, and whose dishes were taken."""

from functools import cached_property
from typing import NamedTuple

from app.course.exercises.scenes import dressed_ranking, scene_of_seed
from app.course.games.interleaving import (
    LIST_LENGTH,
    SHARED_DISH_COUNT_BY_KIND,
    TEAMS,
    InterleavingGuess,
    InterleavingRound,
    InterleavingState,
)
from app.course.items.examples import Ranking
from app.web.games.rounds_views import RoundSummary, RoundsView

NAME_BY_TEAM = {"a": "甲队", "b": "乙队", "tie": "打平"}
DISH_LETTERS = "①②③④⑤⑥"
EXERCISE_IDS_AND_LEVELS = (("sign-test", 1), ("ips", 1))


class MenuDish(NamedTuple):
    """A dish in a list; `is_served`: it is on the table already."""

    letter: str
    title: str
    is_served: bool


class TableDish(NamedTuple):
    """A dish on the table; `is_taken`: the guests took it, which shows once all is served."""

    letter: str
    title: str
    team_name: str
    is_taken: bool


class InterleavingView(RoundsView):
    """What `games/_interleaving.html` shows."""

    game_name = "interleaving"
    exercise_ids_and_levels = EXERCISE_IDS_AND_LEVELS
    round_count = len(SHARED_DISH_COUNT_BY_KIND)

    @cached_property
    def state(self) -> InterleavingState:
        return InterleavingState(self.seed).after_moves(self.moves)

    @property
    def round(self) -> InterleavingRound:
        return self.state.round

    @cached_property
    def ranking(self) -> Ranking:
        """The dishes with their titles."""
        scene_seed = self.seed + self.state.round_index
        return dressed_ranking(
            scene_of_seed(self.course.scenes, scene_seed, "interleaving"), self.round.grades, [], scene_seed
        )

    def _dish_title(self, dish_index: int) -> str:
        return self.ranking.documents[dish_index].title

    @property
    def team_names_with_menus(self) -> list[tuple[str, list[MenuDish]]]:
        """Both lists, by the name of the team."""
        served_dish_indexes = {served_dish.dish_index for served_dish in self.state.served_dishes}
        team_names_with_menus = []
        for team in TEAMS:
            listed_dish_indexes = self.round.dish_indexes_of_team(team)
            menu_dishes = [
                self._menu_dish(dish_index, dish_index in served_dish_indexes)
                for dish_index in listed_dish_indexes
            ]
            team_names_with_menus.append((NAME_BY_TEAM[team], menu_dishes))
        return team_names_with_menus

    def _menu_dish(self, dish_index: int, is_served: bool) -> MenuDish:
        return MenuDish(DISH_LETTERS[dish_index], self._dish_title(dish_index), is_served)

    @property
    def table_dishes(self) -> list[TableDish]:
        """The table so far."""
        is_full = self.state.next_dish is None
        table_dishes_so_far = []
        for served_dish in self.state.served_dishes:
            is_taken = is_full and served_dish in self.round.taken_dishes
            letter, title = DISH_LETTERS[served_dish.dish_index], self._dish_title(served_dish.dish_index)
            table_dishes_so_far.append(TableDish(letter, title, NAME_BY_TEAM[served_dish.team], is_taken))
        return table_dishes_so_far

    @property
    def question_sentence(self) -> str:
        """What is asked now."""
        next_serving = self.state.next_dish
        if next_serving is None:
            return "客人拿了画勾的那几道。这一桌，谁赢？"
        round_index, serving_index = divmod(len(self.state.served_dishes), 2)
        team_name = NAME_BY_TEAM[next_serving.team]
        coin_sentence = ""
        if serving_index == 0:
            coin_sentence = f"第{round_index + 1}轮，硬币说{team_name}先。"
        return f"{coin_sentence}轮到{team_name}，端哪一道？"

    @property
    def choices(self) -> list[tuple[str, str]]:
        """What can be guessed: how the form names it, and what the button says."""
        if self.state.next_dish is None:
            return [("a", "甲队赢"), ("tie", "打平"), ("b", "乙队赢")]
        choices = []
        for index_text in self.state.choices:
            dish_index = int(index_text)
            choices.append((index_text, f"{DISH_LETTERS[dish_index]} {self._dish_title(dish_index)}"))
        return choices

    @property
    def last_guess(self) -> InterleavingGuess | None:
        """The last guess of this round."""
        if self.state.guesses and self.state.guesses[-1].round_index == self.state.round_index:
            return self.state.guesses[-1]
        return None

    @property
    def feedback_sentence(self) -> str:
        """What is said to the last guess."""
        last_guess = self.last_guess
        if last_guess is None:
            return ""
        if last_guess.guess in NAME_BY_TEAM:
            credit_words = "，".join(
                f"{NAME_BY_TEAM[team]}{self.round.click_count(team)}分" for team in TEAMS
            )
            return f"{'数对了' if last_guess.is_right else '数错了'}：{credit_words}，{self._outcome_words}。"
        last_serving = self.state.served_dishes[-1]
        served_letter, guessed_letter = (
            DISH_LETTERS[last_serving.dish_index],
            DISH_LETTERS[int(last_guess.guess)],
        )
        right_dish_words = f"{served_letter}是{NAME_BY_TEAM[last_serving.team]}最靠前、桌上还没有的"
        if last_guess.is_right:
            return f"端对了：{right_dish_words}。"
        earlier_dish_indexes = {
            earlier_serving.dish_index for earlier_serving in self.state.served_dishes[:-1]
        }
        if int(last_guess.guess) in earlier_dish_indexes:
            return f"{guessed_letter}早在桌上了，跳过去。{right_dish_words}，替你端上了。"
        return f"{guessed_letter}前面还有更靠前的。{right_dish_words}，替你端上了。"

    @property
    def _outcome_words(self) -> str:
        if self.round.outcome == "tie":
            return "打平"
        return f"{NAME_BY_TEAM[self.round.outcome]}赢"

    @property
    def round_summaries(self) -> list[RoundSummary]:
        """Each round with how many guesses were right."""
        round_summaries = []
        for round_index, round_kind in enumerate(SHARED_DISH_COUNT_BY_KIND):
            right_count = sum(
                guess.is_right for guess in self.state.guesses if guess.round_index == round_index
            )
            round_summaries.append(self.round_summary(round_kind, right_count, LIST_LENGTH + 1))
        return round_summaries
