-- What the customer decided, each time it was saved. The number goes into the ledger with what was copied by it.
create table mapping_revisions (
  import_id text not null references imports on delete cascade,
  revision integer not null check (revision > 0),
  mapping jsonb not null,
  actor text not null,
  -- a run went by it: such a revision is kept, of others only the last ones
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (import_id, revision)
);

-- What the two tools told of their fields, words and people: sealed, since it is the customers' data.
create table mapping_facts (
  import_id text primary key references imports on delete cascade,
  -- raised each time, so that a reader who is half way through a list notices
  gathering integer not null default 1,
  facts bytea not null,
  gathered_at timestamptz not null default now()
);

-- People by the page, so that a list of thousands is opened a few at a time.
create table mapping_people (
  import_id text not null references mapping_facts on delete cascade,
  side text not null check (side in ('source', 'destination')),
  page integer not null check (page >= 0),
  people bytea not null,
  primary key (import_id, side, page)
);
