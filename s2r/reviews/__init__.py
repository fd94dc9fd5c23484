"""The reviewer workbench without its pages: the queue, leases, decisions, numbers, files in and out.

Every function takes a `Workbench` (`open_workbench`) first; times are arguments, in UTC. What cannot be done raises a ReviewError that
says what to do, and changes nothing.
"""

from s2r.policy.review import ReasonCode, ReviewPolicy, load_review
from s2r.reviews.bench import Workbench, open_workbench
from s2r.reviews.bulk import bulk, groups
from s2r.reviews.decisions import adjudicate, decide, decisions, disagreements, undo
from s2r.reviews.errors import BadDecision, LeaseLost, LeaseTaken, NotAllowed, NotFound, ReviewError, StaleEdit
from s2r.reviews.evidence import Fetched, fetch_page, locate, read_page
from s2r.reviews.exchange import COLUMNS, ImportOutcome, RowFault, export_queue, export_rows, import_decisions
from s2r.reviews.labels import Written, draw_sample, write_labels
from s2r.reviews.leases import claim, claim_next, leases, release, renew
from s2r.reviews.numbers import Agreement, Numbers, Pace, SampleError, numbers
from s2r.reviews.queue import all_items, item, queue_page
from s2r.reviews.types import (
    NOBODY,
    WAITING,
    Age,
    BulkOutcome,
    Decision,
    Dispute,
    Evidence,
    FacetValue,
    Group,
    Kept,
    Kind,
    Lease,
    Outcome,
    QueueFilter,
    QueueItem,
    QueuePage,
    Revision,
    RowView,
    SavedView,
    Sort,
    State,
)
from s2r.reviews.views import acts, drop_view, history, row_view, save_view, saved_views

__all__ = [
    "COLUMNS",
    "NOBODY",
    "WAITING",
    "Age",
    "Agreement",
    "BadDecision",
    "BulkOutcome",
    "Decision",
    "Dispute",
    "Evidence",
    "FacetValue",
    "Fetched",
    "Group",
    "ImportOutcome",
    "Kept",
    "Kind",
    "Lease",
    "LeaseLost",
    "LeaseTaken",
    "NotAllowed",
    "NotFound",
    "Numbers",
    "Outcome",
    "Pace",
    "QueueFilter",
    "QueueItem",
    "QueuePage",
    "ReasonCode",
    "ReviewError",
    "ReviewPolicy",
    "Revision",
    "RowFault",
    "RowView",
    "SampleError",
    "SavedView",
    "Sort",
    "StaleEdit",
    "State",
    "Workbench",
    "Written",
    "acts",
    "adjudicate",
    "all_items",
    "bulk",
    "claim",
    "claim_next",
    "decide",
    "decisions",
    "disagreements",
    "draw_sample",
    "drop_view",
    "export_queue",
    "export_rows",
    "fetch_page",
    "groups",
    "history",
    "import_decisions",
    "item",
    "leases",
    "load_review",
    "locate",
    "numbers",
    "open_workbench",
    "queue_page",
    "read_page",
    "release",
    "renew",
    "row_view",
    "save_view",
    "saved_views",
    "undo",
    "write_labels",
]
