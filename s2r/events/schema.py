"""Tables of the event store. `claim` holds what was delivered; `event` is worked out from it and can be worked out again at any time."""

from __future__ import annotations

from s2r.database import Database, Migrations

MIGRATIONS = Migrations("s2r.events")

_TABLES = """
create table surface (id integer primary key, label text not null unique, kind text not null, key text not null, entity integer not null);
create index surface_key on surface (key);
create index surface_entity on surface (entity, id);
create table link (id integer primary key, a integer not null references surface(id), b integer not null references surface(id),
  reason text not null, source text not null);
create table claim (id integer primary key, type text not null, surface integer not null references surface(id),
  day integer not null, day_last integer not null, anchor_kind text not null, role text, counterparty integer references surface(id),
  deal text, attributes text not null, source text not null, event integer, reason text not null default '', digest text unique);
create index claim_event on claim (event);
create table evidence (id integer primary key, claim integer not null references claim(id), url text not null, title text not null,
  date text not null, quote text not null, exhibit text not null, start integer not null, end integer not null);
create index evidence_claim on evidence (claim);
create table event (id integer primary key, type text not null, surface integer not null references surface(id),
  day integer not null, day_last integer not null, anchor_kind text not null, role text, counterparty integer references surface(id),
  deal text, claims integer not null);
create table attribute (event integer not null, name text not null, value text not null, primary key (event, name)) without rowid;
create index attribute_value on attribute (name, value, event);
"""
INDEXES = (
    "create index if not exists event_type_day on event (type, day, day_last, surface, role)",
    "create index if not exists event_type_surface on event (type, surface, day, day_last, role, counterparty, deal)",
    "create index if not exists event_surface on event (surface, type, day)",
    "create index if not exists event_deal on event (deal, type, day) where deal is not null",
    "create index if not exists event_counterparty on event (counterparty, type) where counterparty is not null",
)


@MIGRATIONS()
def m001_events(db: Database) -> None:
    """Spellings and their links, claims with evidence, and the events that were made of them."""
    for statement in (*_TABLES.split(";"), *INDEXES):
        if statement.strip():
            db.execute(statement)
