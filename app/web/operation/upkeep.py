"""What the site does by itself: sign-ins in use are kept, those that are over end; empty guests go, and
pictures that nothing names; timed work is handed in when its time is up."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any

from app.records.accounts import sign_in_lifetimes, throttle
from app.records.authoring import picture_files, pictures
from app.records.db.errors import Busy
from app.records.grading import collecting
from app.records.people import empty_guests
from app.web.site import clock
from app.web.site.site import Site

UPKEEP_EVERY = timedelta(minutes=10)
SWEEP_EVERY = timedelta(days=1)
TIME_UP_EVERY = timedelta(seconds=20)
RETRY_UNMARKABLE_AFTER = timedelta(hours=1)
"""How long an attempt that could not be marked is left alone."""
MOST_SIGHTINGS = 500
"""So many sign-ins in use are told to the database in one write: others wait behind it."""
Duty = Callable[[Site, datetime], Coroutine[Any, Any, object]]

logger = logging.getLogger(__name__)


async def run_forever(site: Site) -> None:
    """Every ten minutes what is quick, once a day what looks at all guests; the first time at once."""
    swept_at: datetime | None = None
    while True:
        now = clock.now()
        await carry_out(keep_sign_ins, site, now)
        is_due = swept_at is None or now - swept_at >= SWEEP_EVERY
        if is_due and await carry_out(sweep_guests, site, now) and await carry_out(sweep_pictures, site, now):
            swept_at = now
        await asyncio.sleep(UPKEEP_EVERY.total_seconds())


async def hand_in_forever(site: Site) -> None:
    """Timed work, some seconds after its time was up. Several processes may do it: the first one counts."""
    failed_at_by_attempt_id: dict[int, datetime] = {}

    async def hand_in(site: Site, now: datetime) -> None:
        await hand_in_what_is_over(site, now, failed_at_by_attempt_id)

    while True:
        await carry_out(hand_in, site, clock.now())
        await asyncio.sleep(TIME_UP_EVERY.total_seconds())


async def carry_out(duty: Duty, site: Site, now: datetime) -> bool:
    """Do what is due, and whether it is done. What goes wrong is written into the log, and waits for its next
    turn: a full disk at night must not be the end of all upkeep.
    """
    try:
        await duty(site, now)
    except Busy as error:
        logger.warning("%s waits for its next turn: %s", duty.__name__, error)
        return False
    except Exception:
        logger.exception("%s has failed, and is tried again", duty.__name__)
        return False
    return True


async def hand_in_what_is_over(
    site: Site, now: datetime, failed_at_by_attempt_id: dict[int, datetime]
) -> int:
    """One attempt a transaction, so that nobody waits for a whole class; how many there were. One that
    could not be marked is tried again an hour after it failed."""
    handed_in_attempt_count = 0
    part_refs_by_attempt_id = await site.db.read(collecting.load_part_refs_of_overdue_attempts, now)
    for attempt_id, part_refs in part_refs_by_attempt_id.items():
        failed_at = failed_at_by_attempt_id.get(attempt_id)
        if failed_at and now < failed_at + RETRY_UNMARKABLE_AFTER:
            continue
        try:
            course_by_prefix = await site.course_by_prefix_of_refs(part_refs)
            handed_in_attempt_count += await site.db.write(
                collecting.hand_in_at_time_up, attempt_id, course_by_prefix, now
            )
        except Busy:
            raise
        except Exception:  # one attempt that cannot be marked must not hold up all others
            logger.exception("attempt %s could not be handed in", attempt_id)
            failed_at_by_attempt_id[attempt_id] = now
    return handed_in_attempt_count


async def keep_sign_ins(site: Site, now: datetime) -> None:
    """Tell the database which sign-ins were seen, then end those that are over, and forget old tries."""
    await save_sightings(site, now)
    await site.db.write(sign_in_lifetimes.end_expired_sign_ins, now)
    await site.db.write(throttle.forget_old_tries, now)


async def save_sightings(site: Site, _now: datetime) -> None:
    """Tell the database which sign-ins were seen; each was noted with its moment."""
    while sightings := site.presence.take_sightings(MOST_SIGHTINGS):
        await site.db.write(sign_in_lifetimes.save_sightings, sightings)


async def sweep_guests(site: Site, now: datetime) -> int:
    """Delete the guests who did nothing and never came back; how many there were."""
    swept_guest_count = 0
    last_guest_id = 0
    while guest_ids := await site.db.read(empty_guests.next_empty_guest_ids, last_guest_id, now):
        swept_guest_count += await site.db.write(empty_guests.remove_empty_guests, guest_ids, now)
        last_guest_id = guest_ids[-1]
    return swept_guest_count


async def sweep_pictures(site: Site, now: datetime) -> int:
    """Remove the files that nothing names any more, a week after they were sent; how many these were."""
    picture_folder = picture_files.picture_folder_in(site.settings.data)
    await site.off_loop.run(picture_files.remove_unfinished_files, picture_folder, now)
    week_ago = now - picture_files.KEPT_UNUSED_FOR
    old_picture_names = await site.off_loop.run(
        picture_files.picture_names_sent_before, picture_folder, week_ago
    )
    unused_picture_names = await site.db.read(
        pictures.unused_picture_names, old_picture_names
    )  # all texts are read: nobody waits for that
    if not unused_picture_names:
        return 0
    forgotten_picture_names = await site.db.write(pictures.forget_unused_pictures, unused_picture_names)
    await site.off_loop.run(
        picture_files.remove_pictures_sent_before, picture_folder, forgotten_picture_names, week_ago
    )
    return len(forgotten_picture_names)
