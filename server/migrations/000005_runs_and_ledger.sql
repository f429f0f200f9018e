-- One execution of work for an import. It waits for people here, never in the engine.
create table runs (
  id text primary key check (id ~ '^run_[0-9a-z]{26}$'),
  import_id text not null references imports,
  number integer not null check (number > 0),
  kind text not null check (kind in ('sample', 'full', 'delta', 'retry_failed', 'undo')),
  -- the effect that asked for it: dispatched twice, it starts one run
  outbox_id bigint not null unique,
  state text not null default 'running' check (state in ('running', 'waiting', 'done', 'failed', 'stopped')),
  wanted text not null default 'run' check (wanted in ('run', 'pause', 'stop')),
  -- the side whose sign-in a person must renew
  waiting_for text check (waiting_for in ('source', 'destination')),
  waiting_since timestamptz,
  failure_code text,
  failure_message text,
  -- partitions of this step are at work
  step integer not null default 0,
  mapping_revision integer not null default 0,
  ledger_leaf text not null,
  -- of a delta: what changed at or after this moment
  since timestamptz,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (import_id, number),
  check ((state = 'waiting') = (waiting_for is not null)),
  check ((state in ('done', 'failed', 'stopped')) = (ended_at is not null))
);
create unique index runs_one_live on runs (import_id) where ended_at is null;

-- A stream of a run, or a slice of one. Its row is its state of record: place, lease, counters, the batch in doubt.
create table partitions (
  run_id text not null references runs on delete cascade,
  no integer not null,
  import_id text not null,
  -- starts when all partitions of the steps before have ended
  step integer not null,
  task text not null check (task in ('prepare', 'choose', 'copy', 'sweep', 'link', 'verify', 'remove')),
  stream text not null default '',
  -- what this part is confined to, by its task
  slice jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'stopped')),
  cursor jsonb,
  generation integer not null default 1,
  epoch integer not null default 0,
  -- a generation that has not moved by then is taken for lost, and the next one is sent
  due_at timestamptz,
  -- chunks in a row that got nowhere
  failures integer not null default 0,
  failing_since timestamptz,
  batch_ids text[],
  batch_hashes bytea[],
  batch_parents text[],
  batch_since timestamptz,
  batch_deadline timestamptz,
  expected bigint,
  read bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  matched bigint not null default 0,
  skipped bigint not null default 0,
  failed bigint not null default 0,
  removed bigint not null default 0,
  kept bigint not null default 0,
  -- how often what happened to which field, and why: bounded in size
  tallies jsonb not null default '{}',
  started_at timestamptz,
  ended_at timestamptz,
  primary key (run_id, no)
) with (fillfactor = 50);
-- due_at is in no index: it moves with every page, which would cost each its cheap update in place
create index partitions_running on partitions (run_id, no) where state = 'running';
alter table partitions alter batch_ids set storage external, alter batch_hashes set storage external,
  alter batch_parents set storage external;

-- What became what: a row per source record of an import. By month of the import's id, eight leaves each; statements
-- name the leaf, and old months are detached whole. States: 1 written, 2 matched, 3 skipped, 4 failed, 5 undone, 6 kept.
create table ledger (
  import_id text collate "C" not null,
  stream text collate "C" not null,
  source_id text collate "C" not null,
  state smallint not null check (state between 1 and 6),
  -- the number of the run that wrote the copy; part of its external key, so that a trashed copy never settles a later write
  key_generation integer not null,
  mapping_revision integer not null,
  -- the run that changed it last, and the run whose sweep saw it at the source last
  run_number integer not null,
  swept integer,
  dest_id text,
  source_hash bytea,
  -- of the fields as the write returned them: whether a person has edited the copy since
  dest_hash bytea,
  reason text,
  detail text,
  primary key (import_id, stream, source_id)
) partition by range (import_id);

-- What points forward: written with the record that points, taken away when it is linked.
create table pending_links (
  import_id text collate "C" not null,
  stream text collate "C" not null,
  source_id text collate "C" not null,
  field text not null,
  to_stream text not null,
  to_id text not null,
  primary key (import_id, stream, source_id, field, to_stream, to_id)
);

-- The records that a sample consists of, and why each is in it.
create table sample_records (
  import_id text not null references imports on delete cascade,
  stream text collate "C" not null,
  source_id text collate "C" not null,
  why text not null check (why in ('chosen', 'needed', 'added')),
  covers text[] not null default '{}',
  primary key (import_id, stream, source_id)
);

-- Records that an import found in the destination and points to: no other import's undo may take them away.
create table matched_records (
  tool text not null,
  account_id text not null,
  stream text not null,
  dest_id text not null,
  import_id text not null references imports on delete cascade,
  primary key (tool, account_id, stream, dest_id, import_id)
);
create index matched_records_by_import on matched_records (import_id);

-- Records that an undo is about to take away: no import may begin to point to them. Both tables are written under one
-- lock per account.
create table removing_records (
  tool text not null,
  account_id text not null,
  stream text not null,
  dest_id text not null,
  import_id text not null references imports on delete cascade,
  primary key (tool, account_id, stream, dest_id)
);
create index removing_records_by_import on removing_records (import_id);

-- Of an undo: records that must stay because something below them does, by the destination's ids.
create table kept_records (
  import_id text not null references imports on delete cascade,
  stream text not null,
  dest_id text not null,
  primary key (import_id, stream, dest_id)
);

create index outbox_work on outbox (id) where dispatched_at is null and effect ->> 'kind' <> 'notify';
