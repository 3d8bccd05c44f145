"""Where labels come from: how far judges agree, and what clicks say once their position is taken out.

agreement   two or more raters of the same documents: Cohen's kappa, Krippendorff's alpha
clicks      a document that was shown at several positions: click rate, and inverse propensity scoring
holes       lists with unjudged documents: the condensed list, and bpref
"""

from app.engine.labelling.agreement import Agreement, alpha, kappa
from app.engine.labelling.clicks import Clicks, Position, deviation_of_ips, ips
from app.engine.labelling.holes import bpref, condensed

__all__ = [
    "Agreement",
    "Clicks",
    "Position",
    "alpha",
    "bpref",
    "condensed",
    "deviation_of_ips",
    "ips",
    "kappa",
]
