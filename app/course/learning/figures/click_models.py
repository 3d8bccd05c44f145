"""Three readers of one list: how likely each looks at a position, and what the first document does to it."""

from collections.abc import Callable, Mapping, Sequence

from app.course.learning.figures.svg import WIDTH, drawing, line, tag, text

POSITION_COUNT = 5
CLICKED_SHARE = 0.5
"""Each document is clicked by half of those who look at it; the first one, where it is poor, by nobody."""
SATISFIED_SHARE = 0.5
"""In the third model one half of those who clicked have what they wanted, and leave."""
PANEL, TOP, BAR_HEIGHT, BAR_WIDTH, GAP, LEFT, STEP = 116, 50, 44, 26, 3, 32, 62
HEIGHT = 3 * PANEL + 26

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
    return _until_they_leave(clicked_shares, 1.0)


def dbn_model(clicked_shares: Sequence[float]) -> Attention:
    """From the top down, until a click that satisfies.

    >>> dbn_model([0.5, 0.5, 0.5])
    [1.0, 0.75, 0.5625]
    """
    return _until_they_leave(clicked_shares, SATISFIED_SHARE)


def _until_they_leave(clicked_shares: Sequence[float], satisfied_share: float) -> Attention:
    attention = []
    reading_share = 1.0
    for clicked_share in clicked_shares:
        attention.append(reading_share)
        reading_share *= 1 - clicked_share * satisfied_share
    return attention


MODELS: Mapping[str, Callable[[Sequence[float]], Attention]] = {
    "位置模型：只看第几位": position_model,
    "级联：点了就走": cascade_model,
    "DBN：满意了才走": dbn_model,
}


def draw() -> str:
    """A panel for each model: full bars for a good first document, outlined ones for a poor one."""
    good_clicks = [CLICKED_SHARE] * POSITION_COUNT
    poor_clicks = [0.0, *good_clicks[1:]]
    shapes = []
    model_sentences = []
    for panel_number, (model_name, attention_of) in enumerate(MODELS.items()):
        top = panel_number * PANEL
        shapes.append(text(model_name, 6, top + 16, "value", "start"))
        shapes += _bars(attention_of(good_clicks), attention_of(poor_clicks), top)
        shares_before, shares_after = (
            _percent_list(attention_of(clicked_shares)) for clicked_shares in (good_clicks, poor_clicks)
        )
        model_sentences.append(f"{model_name}，从第1位起{shares_before}；第1位换成没人点的，{shares_after}")
    shapes += [text(f"第{rank}位", _x(rank) + BAR_WIDTH, HEIGHT - 8) for rank in range(1, POSITION_COUNT + 1)]
    description = "每一位有百分之几的人看。" + "。".join(model_sentences) + "。"
    return drawing("click-models", HEIGHT, "三种读者：谁还看得到第n位", description, *shapes)


def _bars(good_attentions: Attention, poor_attentions: Attention, top: float) -> list[str]:
    floor = top + TOP + BAR_HEIGHT
    shapes = [line("axis", LEFT - 6, WIDTH - 8, floor)]
    for rank, (good_attention, poor_attention) in enumerate(
        zip(good_attentions, poor_attentions, strict=True), 1
    ):
        x = _x(rank)
        shapes += _bar("bar-own", good_attention, x, floor)
        shapes += _bar("bar-ideal", poor_attention, x + BAR_WIDTH + GAP, floor)
    return shapes


def _bar(class_: str, share: float, x: float, floor: float) -> list[str]:
    height = share * BAR_HEIGHT
    bar = tag("rect", class_=class_, x=x, y=floor - height, width=BAR_WIDTH, height=height)
    return [bar, text(_percent(share), x + BAR_WIDTH / 2, floor - height - 5)]


def _x(rank: int) -> float:
    return float(LEFT + (rank - 1) * STEP)


def _percent(share: float) -> str:
    return str(int(100 * share + 0.5))  # a half goes up, as at school


def _percent_list(attention: Attention) -> str:
    return "、".join(map(_percent, attention))
