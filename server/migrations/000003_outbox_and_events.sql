-- What other parts must be told: written with the change, sent afterwards, at least once.
create table outbox (
  id bigint generated always as identity primary key,
  import_id text not null references imports,
  effect jsonb not null,
  created_at timestamptz not null default now(),
  dispatched_at timestamptz
);
-- by what is not dispatched, never by "after the last id": ids become visible out of order
create index outbox_waiting on outbox (id) where dispatched_at is null;

-- What partners are told. Ordered by (tx, seq): a reader stops before the oldest transaction still open, so that
-- nothing can appear behind its cursor.
create table events (
  id text primary key check (id ~ '^evt_[0-9a-z]{26}$'),
  tx xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  partner_id text not null references partners,
  import_id text not null references imports,
  type text not null,
  status text not null,
  previous_status text,
  created_at timestamptz not null default now()
);
create index events_by_partner on events (partner_id, tx, seq);
create index events_by_age on events (created_at);

create table idempotency_keys (
  partner_id text not null references partners,
  key text not null,
  fingerprint bytea not null,
  -- whose turn it is: the process that answers holds the claim until claimed_until
  claim uuid not null,
  claimed_until timestamptz not null,
  -- the 201, sealed: it holds a link
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (partner_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
