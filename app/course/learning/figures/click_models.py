"""Three readers of one list: how likely each looks at a position, and what the first document does to it."""

from collections.abc import Callable, Mapping, Sequence

from app.course.learning.figures.svg import WIDTH, drawing, line, tag, text

POSITION_COUNT = 5
CLICKED_SHARE = 0.5
"""Each document is clicked by half of those who look at it; the first one, where it is poor, by nobody."""
SATISFIED_SHARE = 0.5
"""In the third model one half of those who clicked have what they wanted, and leave."""
PANEL_HEIGHT, BARS_TOP, BAR_HEIGHT = 116, 50, 44
BAR_WIDTH, BAR_GAP, FIRST_BAR_X, RANK_DISTANCE = 26, 3, 32, 62
HEIGHT = 3 * PANEL_HEIGHT + 26

Attention = Sequence[float]
"""For each position the share of readers who look at it."""


def position_model(clicked_shares: Sequence[float]) -> Attention:
    """Every position by itself, here the n-th by one reader in n: what stands there does not matter.

    >>> [round(share, 3) for share in position_model([0.5, 0.5, 0.5])]
    [1.0, 0.5, 0.333]
    """
    return [1 / rank for rank in range(1, len(clicked_shares) + 1)]


def cascade_model(clicked_shares: Sequence[float]) -> Attention:
    """From the top down, until the first click.

    >>> cascade_model([0.5, 0.5, 0.5]), cascade_model([0, 0.5, 0.5])
    ([1.0, 0.5, 0.25], [1.0, 1.0, 0.5])
    """
    return _reading_shares_from_top(clicked_shares, 1.0)


def dbn_model(clicked_shares: Sequence[float]) -> Attention:
    """From the top down, until a click that satisfies.

    >>> dbn_model([0.5, 0.5, 0.5])
    [1.0, 0.75, 0.5625]
    """
    return _reading_shares_from_top(clicked_shares, SATISFIED_SHARE)


def _reading_shares_from_top(clicked_shares: Sequence[float], satisfied_share: float) -> Attention:
    reading_shares = []
    share_still_reading = 1.0
    for clicked_share in clicked_shares:
        reading_shares.append(share_still_reading)
        share_still_reading *= 1 - clicked_share * satisfied_share
    return reading_shares


ATTENTION_BY_MODEL_NAME: Mapping[str, Callable[[Sequence[float]], Attention]] = {
    "位置模型：只看第几位": position_model,
    "级联：点了就走": cascade_model,
    "DBN：满意了才走": dbn_model,
}


def draw() -> str:
    """A panel for each model: full bars for a good first document, outlined ones for a poor one."""
    clicked_shares_of_good_list = [CLICKED_SHARE] * POSITION_COUNT
    clicked_shares_of_poor_list = [0.0, *clicked_shares_of_good_list[1:]]
    shapes = []
    model_sentences = []
    for panel_index, (model_name, attention_of) in enumerate(ATTENTION_BY_MODEL_NAME.items()):
        top_y = panel_index * PANEL_HEIGHT
        shapes.append(text(model_name, 6, top_y + 16, "value", "start"))
        good_list_attention = attention_of(clicked_shares_of_good_list)
        poor_list_attention = attention_of(clicked_shares_of_poor_list)
        shapes += _bars(good_list_attention, poor_list_attention, top_y)
        good_list_words = f"从第1位起{_percentage_list_text(good_list_attention)}"
        poor_list_words = f"第1位换成没人点的，{_percentage_list_text(poor_list_attention)}"
        model_sentences.append(f"{model_name}，{good_list_words}；{poor_list_words}")
    shapes += [
        text(f"第{rank}位", _x_of_rank(rank) + BAR_WIDTH, HEIGHT - 8) for rank in range(1, POSITION_COUNT + 1)
    ]
    description = "每一位有百分之几的人看。" + "。".join(model_sentences) + "。"
    return drawing("click-models", HEIGHT, "三种读者：谁还看得到第n位", description, *shapes)


def _bars(good_list_attention: Attention, poor_list_attention: Attention, top_y: float) -> list[str]:
    floor_y = top_y + BARS_TOP + BAR_HEIGHT
    shapes = [line("axis", FIRST_BAR_X - 6, WIDTH - 8, floor_y)]
    for rank, (good_list_share, poor_list_share) in enumerate(
        zip(good_list_attention, poor_list_attention, strict=True), 1
    ):
        x = _x_of_rank(rank)
        shapes += _bar("bar-own", good_list_share, x, floor_y)
        shapes += _bar("bar-ideal", poor_list_share, x + BAR_WIDTH + BAR_GAP, floor_y)
    return shapes


def _bar(css_class: str, share: float, x: float, floor_y: float) -> list[str]:
    height = share * BAR_HEIGHT
    bar = tag("rect", class_=css_class, x=x, y=floor_y - height, width=BAR_WIDTH, height=height)
    return [bar, text(_percentage_text(share), x + BAR_WIDTH / 2, floor_y - height - 5)]


def _x_of_rank(rank: int) -> float:
    return float(FIRST_BAR_X + (rank - 1) * RANK_DISTANCE)


def _percentage_text(share: float) -> str:
    return str(int(100 * share + 0.5))  # a half goes up, as at school


def _percentage_list_text(attention: Attention) -> str:
    return "、".join(map(_percentage_text, attention))
