"""Figures as the tutor prints them in a calculation."""


def exact(number: float) -> str:
    """A grade or a gain as it is: whole numbers whole, however large."""
    return f"{number:.0f}" if number == int(number) else f"{number:.4g}"


def equals(value: float, decimals: int, strong: bool = False) -> str:
    """`=` where the printed figure is the whole truth, else `≈`."""
    printed = f"{value:.{decimals}f}"
    sign = "=" if abs(float(printed) - value) < 1e-12 * max(1.0, abs(value)) else "≈"
    return sign + bold(printed, strong)


def bold(text: str, yes: bool) -> str:
    """Text in bold, or as it is."""
    return f"**{text}**" if yes else text
