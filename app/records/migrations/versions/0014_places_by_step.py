"""A lesson's place by the id of its step, so that a step that is put in moves nobody

Places in the course get the id that their number had in the course as it was then (`STEPS`); those in a
teacher's content get it from the text as stored. Where neither can say, the id stays empty and the number
goes on to count.

Revision ID: 0014
Revises: 0013
Create Date: 2026-11-22
"""

from collections.abc import Sequence

import sqlalchemy as sa
import yaml
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

STEPS = {
    "content:concepts/which-is-better": "probe probe-why cat-bath row-b noodle-order hidden-sweetness",
    "content:concepts/binary-rulers": (
        "tomato three-rulers lucky-questions move-useless-first pass-mark degrees-lost"
    ),
    "content:concepts/sweetness": "grade-scale chengdu-row beijing-zero bag chengdu-bag lipstick-bags",
    "content:concepts/head-and-tail": "attention peek bars three-wishes wishes look-back",
    "content:concepts/concepts-quiz": "quiz-1 quiz-2 quiz-3 quiz-4 quiz-5 quiz-6 quiz-7 quiz-8",
    "content:definitions/gain-and-discount": (
        "sweetness-to-gain ask-gain late-is-cheaper weights-drawn ask-plus-one why-log"
    ),
    "content:definitions/one-term": (
        "ask-weight-far gain-times-weight ask-second-term sum-is-dcg ask-which-formula first-reveal"
    ),
    "content:definitions/dcg-by-hand": (
        "recipe-verse ask-guided-dcg cut-or-round ask-movie-term bars-of-a-trip ask-dcg-facts"
    ),
    "content:definitions/ideal-and-idcg": (
        "ruler-needed ask-order best-hand ask-guided-idcg sort-then-cut ask-sort-then-cut"
    ),
    "content:definitions/normalise": (
        "two-queries ask-why-differs divide-by-ideal ask-both-one ask-guided-ndcg video-reveal"
    ),
    "content:definitions/read-the-score": (
        "food-reveal three-neighbours range-drawn ask-upside-down where-zero-lives ask-video-range"
    ),
    "content:definitions/conventions": (
        "two-platforms exponential-gain ask-duel write-it-down ask-card look-back-definitions"
    ),
    "content:definitions/definitions-quiz": (
        "quiz-1 quiz-2 quiz-3 quiz-4 quiz-5 quiz-6 quiz-7 quiz-8 quiz-9 quiz-10"
    ),
    "content:practice/hold-the-saddle": "bicycle phone-reveal round-once ask-market-table ask-copied-ideal",
    "content:practice/let-go-half": "two-tables ask-movies-table no-pass-mark ask-film-order",
    "content:practice/other-side": "other-hand ask-clinic-table",
    "content:practice/let-go": "look-back-ride ask-used-car cards-of-tables",
    "content:practice/new-road": "own-road ask-free-ndcg",
    "content:practice/extra-time": "unfinished-game ask-best-swap ask-why-swap play-duel",
    "content:practice/exponential-wrapper": (
        "lipsticks-again lipstick-reveal ask-lipstick-b bars-of-lipstick ask-wrong-sum fight-monster"
    ),
    "content:practice/scissors": "toilet films-cut two-readings ask-film-c ask-cut-variant",
    "content:practice/three-or-five": (
        "two-landlords ask-flats-flip bars-of-flats lost-cat ask-perfect-head ask-k-facts"
    ),
    "content:practice/the-album": (
        "matchmaker album-reveal first-of-one ask-never-raises ask-ktv ask-gaokao-flip"
    ),
    "content:practice/untasted": (
        "new-post ask-tickets three-answers ask-newcomer cards-of-pools look-back-practice"
    ),
    "content:practice/practice-quiz": "quiz-1 quiz-2 quiz-3 quiz-4 quiz-5 quiz-6 quiz-7 quiz-8",
    "content:code/formula-to-code": (
        "forty-lists recipe-for-robot ask-run-dcg ask-spot-enumerate try-gain try-dcg"
    ),
    "content:code/sort-cut-divide": (
        "ideal-reuses-dcg ask-spot-cut-first try-ideal four-keys ask-which-key try-ndcg"
    ),
    "content:code/borrowed-code": (
        "borrowed ask-article-import ask-article-asfarray ask-article-list tap-reveal try-mend-article"
    ),
    "content:code/scores-not-ranks": (
        "two-rows ask-sklearn-ranks first-place-one-point read-backwards ask-padding ask-sklearn-run"
    ),
    "content:code/tied-scores": "four-eights tied-row ask-tie-pair four-policies ask-tie-docno try-ties",
    "content:code/nothing-sweet": (
        "zero-over-zero ask-three-means ask-zero-means-bad ask-your-rule try-empty-query"
    ),
    "content:code/one-query-one-vote": "mean-of-queries ask-one-vote ask-skip-hard try-mean-ndcg",
    "content:code/one-list-many-tools": (
        "who-counts-how ask-exponential-tools ask-steps-exponential cards-of-tools"
    ),
    "content:code/torn-off": "torn-paper whole-paper ask-pool-tool look-back-code",
    "content:code/code-quiz": "quiz-1 quiz-2 quiz-3 quiz-4 quiz-5 quiz-6 quiz-7 quiz-8",
    "content:applications/five-queues": (
        "one-day three-questions ask-who-is-query maple-reveal no-query ask-playlist"
    ),
    "content:applications/three-more-counters": (
        "answers ask-answers price-is-not-sweetness ask-jackets translations ask-translation"
    ),
    "content:applications/where-labels-come-from": (
        "four-sources ask-label-sources fell-asleep ask-dwell label-verse ask-popularity"
    ),
    "content:applications/biased-labels": (
        "first-window ask-windows own-clicks ask-own-clicks two-judges ask-second-judge"
    ),
    "content:applications/how-to-choose-k": (
        "eyes-decide ask-speaker three-ks ask-three-ks pick-before ask-shopping-k"
    ),
    "content:applications/offline-and-online": (
        "two-tastings ask-fair-split why-flat far-below ask-why-flat cards-of-offline"
    ),
    "content:applications/behind-the-average": (
        "three-queries ask-noise two-stomachs ask-roommate many-goals ask-goals"
    ),
    "content:applications/how-to-improve": (
        "kitchen repair-reveal ask-where-leaks vanity ask-honest look-back-applications"
    ),
    "content:applications/applications-quiz": "quiz-1 quiz-2 quiz-3 quiz-4 quiz-5 quiz-6 quiz-7 quiz-8",
    "content:comparison/lost-parcel": (
        "lazy-parcel ask-lazy-parcel ceilings ask-ceiling ask-loose cards-of-accuracy"
    ),
    "content:comparison/first-sweet": (
        "pharmacy pharmacy-row ask-rr-read first-day ask-mrr-three ask-rr-blind"
    ),
    "content:comparison/whose-pool": (
        "two-guides ask-guide-a make-pool-visible guide-b-reveal pool-table ask-detective"
    ),
    "content:comparison/every-sweet": (
        "blind-boxes ask-ap-expression missing-counts ask-ap-divide map-or-ndcg ask-ap-blind"
    ),
    "content:comparison/any-pair": "jar ask-auc-count last-but-one ask-auc-swap tomato-table ask-auc-huge",
    "content:comparison/leaving-readers": (
        "winter-coat ask-err-second who-says-max ask-err-flip patience ask-rbp-flip"
    ),
    "content:comparison/family-photo": (
        "guide-photo ask-photo-blind pork-rows pork-table ask-duel-why ask-pork-dcg"
    ),
    "content:comparison/choose-a-ruler": (
        "guide-to-rulers ask-choose main-and-guard ask-choose-short neighbours-verse comparison-look-back"
    ),
    "content:comparison/comparison-quiz": "quiz-1 quiz-2 quiz-3 quiz-4 quiz-5 quiz-6 quiz-7 quiz-8",
    "content:optimisation/no-slope": "old-shower what-is-a-slope ask-slope four-videos stairs ask-constant",
    "content:optimisation/three-roads": (
        "singers ask-pointwise one-pair-wrong ask-head-slip leaking-drawers ask-drawers"
    ),
    "content:optimisation/ranknet-pairs": (
        "surprise ask-surprised smooth-penalty ask-tie-push earnest-coach ask-coach"
    ),
    "content:optimisation/lambda-by-hand": "multiply ask-swap pair-by-pair ask-why-small add-up ask-forces",
    "content:optimisation/one-step-at-a-time": (
        "one-step ask-next-push lambda-lab lambda-verse many-trees ask-mart"
    ),
    "content:optimisation/surrogate-slopes": "soft-ranks ask-soft-rank list-net ask-softmax fog ask-which",
    "content:optimisation/library-knobs": (
        "truncation ask-truncation two-norms ask-norm silent-queries look-back-optimisation"
    ),
    "content:optimisation/optimisation-quiz": "quiz-1 quiz-2 quiz-3 quiz-4 quiz-5 quiz-6 quiz-7 quiz-8",
}
"""Stage and section of the course, and the ids of its steps in their order."""

PLACE = sa.table(
    "lesson_place",
    sa.column("stage", AutoString()),
    sa.column("section", AutoString()),
    sa.column("step", sa.Integer()),
    sa.column("step_id", AutoString()),
)
OWN = sa.table("own_course", sa.column("id", sa.Integer()), sa.column("text", AutoString()))


def upgrade() -> None:
    op.add_column("lesson_place", sa.Column("step_id", AutoString(), nullable=True))
    connection = op.get_bind()
    place = PLACE.c
    kept = sa.select(place.stage, place.section, place.step).distinct()
    texts: dict[str, object] = {}
    for stage, section, step in connection.execute(kept).all():
        if stage.startswith("own-"):
            if stage not in texts:
                texts[stage] = own_sections(connection, stage)
            step_ids = step_ids_in(texts[stage], section)
        else:
            step_ids = step_ids_of_course(stage, section)
        if not step_ids:
            continue
        step_id = step_ids[min(max(1, step), len(step_ids)) - 1]
        same = (place.stage == stage, place.section == section, place.step == step)
        connection.execute(PLACE.update().where(*same).values(step_id=step_id))


def step_ids_of_course(stage: str, section: str) -> Sequence[str]:
    """The ids of the steps of a section of the course; none for a section that it did not have."""
    return STEPS.get(f"{stage}/{section}", "").split()


def own_sections(connection: sa.Connection, stage: str) -> object:
    """What stands under `sections` in a teacher's text; None where it cannot be read."""
    number = stage.partition(":")[0].removeprefix("own-")
    if not number.isdecimal():
        return None
    text = connection.execute(sa.select(OWN.c.text).where(OWN.c.id == int(number))).scalar()
    try:
        # Python's own loader: a text that is nested too deep ends in an error, not in the end of the program.
        document = yaml.load(text or "", Loader=yaml.BaseLoader)  # noqa: S506  # makes texts only
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    if not isinstance(document, dict):
        return None
    return document.get("sections")


def step_ids_in(sections: object, name: str) -> Sequence[str]:
    """The ids of the steps of one section; one without an id is called by its number."""
    if not isinstance(sections, dict) or not isinstance(sections.get(name), dict):
        return ()
    steps = sections[name].get("steps")
    if not isinstance(steps, list):
        return ()
    ids = []
    for number, step in enumerate(steps, 1):
        step_id = f"step-{number}"
        if isinstance(step, dict):
            step_id = step.get("id", step_id)
        ids.append(str(step_id))
    return ids


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
