"""A guest's work moves into an account: nothing is lost, nothing is there twice.

Logs are re-pointed. Where both have worked at the same lesson or example, the present rounds become one, and
so do two attempts in them. Of a play that both began, the one that came further is shown. The sums of the
account are made again from the log.
"""

from datetime import datetime

from sqlalchemy import and_, func, literal, select, tuple_, union

from app.records.accounts import learners
from app.records.accounts.learners import LEARNER, SIGN_IN
from app.records.accounts.tables import Learner, SignIn
from app.records.cards import review_log
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery
from app.records.games.plays import GAME_MOVE, IS_MOVE_OF_LEARNER, PLAY_COLUMNS
from app.records.games.tables import GameMove
from app.records.games.values import Play, PlayRow
from app.records.items.tables import ProblemReport
from app.records.learning import bookmarks
from app.records.learning.bookmarks import (
    BOOKMARK,
    BOOKMARK_TABLE,
    BookmarkedPlace,
    BookmarkRow,
    present_place,
)
from app.records.learning.rows import ATTEMPT, LESSON_PLACE, REVEAL
from app.records.learning.tables import LessonVisit, Response
from app.records.learning.values import AnswerSource, ItemMarkerWithSections
from app.records.people import sums
from app.records.people.bulk_changes import Condition, change_rows, remove_rows
from app.records.people.merge_cards import merge_cards
from app.records.people.merge_rounds import RoundMerge


def merge_guest(
    session: VerbSession, guest_id: int, account_id: int, course: ItemMarkerWithSections, now: datetime
) -> None:
    """Move everything of the guest into the account; the guest is no more, and its other sign-ins end."""
    for attempt_source, source_ref in touched_sources_and_refs(session, guest_id):
        round_merge = RoundMerge(session, guest_id, account_id, attempt_source, source_ref)
        round_merge.run(course)
    merge_plays(session, guest_id, account_id)
    merge_cards(session, guest_id, account_id)
    review_log.move_reviews_to_zone(session, account_id, learners.time_zone_of(session, account_id), now)
    merge_bookmarks(session, guest_id, account_id, course)
    is_live_sign_in = and_(SIGN_IN.learner_id == guest_id, SIGN_IN.ended_at.is_(None))
    change_rows(session, table(SignIn), is_live_sign_in, ended_at=now)
    for log_table in (table(Response), table(SignIn), table(LessonVisit), table(ProblemReport)):
        is_of_guest = log_table.c.learner_id == guest_id
        change_rows(session, log_table, is_of_guest, learner_id=account_id)
    remove_rows(session, table(Learner), LEARNER.id == guest_id)
    sums.refold_learner(session, account_id)


def touched_sources_and_refs(session: VerbSession, guest_id: int) -> list[tuple[AnswerSource, str]]:
    """Source and ref of every lesson, example and exercise that the guest has touched."""
    attempts_query = select(ATTEMPT.source, ATTEMPT.ref).where(ATTEMPT.learner_id == guest_id)
    lessons_query = select(literal("lesson"), LESSON_PLACE.stage_ref).where(
        LESSON_PLACE.learner_id == guest_id
    )
    reveals_query = select(literal("practice"), REVEAL.ref).where(REVEAL.learner_id == guest_id)
    sources_and_refs = session.execute(union(attempts_query, lessons_query, reveals_query))
    return sorted((source_and_ref.source, source_and_ref.ref) for source_and_ref in sources_and_refs)


# The plays of the games.

GAME_MOVE_TABLE = table(GameMove)
PLAY_KEY = (GAME_MOVE.game, GAME_MOVE.level, GAME_MOVE.seed)
PLAYS_OF_LEARNER = RowQuery(PlayRow, select(*PLAY_COLUMNS).where(IS_MOVE_OF_LEARNER).group_by(*PLAY_KEY))


def merge_plays(session: VerbSession, guest_id: int, account_id: int) -> None:
    """All moves of the guest. Of two plays the better one stays, the account's where they are alike; the
    other is kept at positions below 0, which no page shows."""
    account_play_by_key = play_by_key_of(session, account_id)
    for play_key, guest_play in play_by_key_of(session, guest_id).items():
        account_play = account_play_by_key.get(play_key)
        if account_play is None:
            continue
        worse_owner_id = guest_id
        if sort_key_of_play(guest_play) > sort_key_of_play(account_play):
            worse_owner_id = account_id
        lowest_account_position = lowest_position(session, account_id, play_key)
        lowest_guest_position = put_hidden_moves_below(session, guest_id, play_key, lowest_account_position)
        lowest_used_position = min(lowest_account_position, lowest_guest_position)
        put_shown_moves_below(session, worse_owner_id, play_key, lowest_used_position)
    change_rows(session, GAME_MOVE_TABLE, GAME_MOVE.learner_id == guest_id, learner_id=account_id)


def play_by_key_of(session: VerbSession, learner_id: int) -> dict[Play, PlayRow]:
    """The plays of a learner as they are shown."""
    play_rows = session.all(PLAYS_OF_LEARNER, learner=learner_id)
    return {Play(play_row.game, play_row.level, play_row.seed): play_row for play_row in play_rows}


def sort_key_of_play(play_row: PlayRow) -> tuple[bool, bool, int, int]:
    """What of two plays decides: that it has ended, that it was won, its score, its moves.

    >>> won_battle = PlayRow("monster", 1, 7, 5, "won", 4, 5)
    >>> open_battle = won_battle._replace(outcome=None, score=None, move_count=9)
    >>> sort_key_of_play(won_battle) > sort_key_of_play(open_battle)
    True
    """
    is_ended = play_row.outcome is not None
    return is_ended, play_row.outcome == "won", play_row.score or 0, play_row.move_count


def lowest_position(session: VerbSession, learner_id: int, play_key: Play) -> int:
    """Where the plays set aside before end; 0 where there are none."""
    is_of_play = and_(GAME_MOVE.learner_id == learner_id, is_move_of_play(play_key))
    lowest_position_query = select(func.min(GAME_MOVE.position)).where(is_of_play)
    position = session.execute(lowest_position_query).scalar() or 0
    return min(0, position)


def put_hidden_moves_below(
    session: VerbSession, learner_id: int, play_key: Play, lowest_used_position: int
) -> int:
    """Put what was set aside when others were merged into this learner below this position, and below where
    it stands now, so that no move meets another on its way. Where it ends then; 0 where there is none."""
    lowest_hidden_position = lowest_position(session, learner_id, play_key)
    if not lowest_hidden_position:
        return 0
    is_hidden_move = and_(
        GAME_MOVE.learner_id == learner_id, GAME_MOVE.position < 0, is_move_of_play(play_key)
    )
    position_change = lowest_used_position + lowest_hidden_position  # neither is above 0: all go down
    change_rows(session, GAME_MOVE_TABLE, is_hidden_move, position=GAME_MOVE.position + position_change)
    return lowest_hidden_position + position_change


def put_shown_moves_below(
    session: VerbSession, learner_id: int, play_key: Play, lowest_used_position: int
) -> None:
    """Put the shown moves of a play below this position, in their order downwards."""
    is_shown_move = and_(
        GAME_MOVE.learner_id == learner_id, GAME_MOVE.position > 0, is_move_of_play(play_key)
    )
    positions_below = lowest_used_position - GAME_MOVE.position
    change_rows(session, GAME_MOVE_TABLE, is_shown_move, position=positions_below)


def is_move_of_play(play_key: Play) -> Condition:
    return tuple_(*PLAY_KEY) == play_key


# Bookmarks.


def merge_bookmarks(
    session: VerbSession, guest_id: int, account_id: int, course: ItemMarkerWithSections
) -> None:
    """All bookmarks of the guest, also beyond the most that one may put."""
    account_bookmark_by_place: dict[BookmarkedPlace, BookmarkRow] = {}
    for bookmark in bookmarks.bookmarks_of_learner(session, account_id):
        account_bookmark_by_place[place_of_bookmark(bookmark, course)] = bookmark
    for bookmark in bookmarks.bookmarks_of_learner(session, guest_id):
        is_bookmark = BOOKMARK.id == bookmark.id
        account_bookmark = account_bookmark_by_place.get(place_of_bookmark(bookmark, course))
        if account_bookmark is None:
            change_rows(session, BOOKMARK_TABLE, is_bookmark, learner_id=account_id)
        else:
            joined_note = join_notes(account_bookmark.note, bookmark.note)
            change_rows(session, BOOKMARK_TABLE, BOOKMARK.id == account_bookmark.id, note=joined_note)
            remove_rows(session, BOOKMARK_TABLE, and_(is_bookmark, BOOKMARK.learner_id == guest_id))


def place_of_bookmark(bookmark: BookmarkRow, course: ItemMarkerWithSections) -> BookmarkedPlace:
    """Where a bookmark lies in the course of today."""
    if not bookmark.section_id:
        return bookmark.place
    section = course.section_of(bookmark.ref, bookmark.section_id)
    return present_place(section, bookmark.place)


def join_notes(*notes: str) -> str:
    """Both notes, the account's first; one where they say the same, or one says nothing.

    >>> join_notes("除数是4.76", "要背"), join_notes("要背", "要背"), join_notes("", "要背")
    ('除数是4.76；要背', '要背', '要背')
    """
    distinct_notes = dict.fromkeys(filter(None, notes))
    return "；".join(distinct_notes)
