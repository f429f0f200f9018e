-- Imports that are played for partners' tests: nothing is read or written anywhere, and none of it is among the imports.
create table simulations (
  id text primary key check (id ~ '^sim_[0-9a-z]{26}$'),
  partner_id text not null references partners,
  scenario text not null,
  -- who pays, as it was when it began
  payer text not null,
  source_tool text not null,
  destination_tool text not null,
  family text not null,
  reference text,
  destination_instance_url text,
  destination_username text,
  username_key text,
  link_token bytea not null,
  -- what the transition table looks at, as for an import
  state jsonb not null,
  -- a person must sign in again before it goes on
  waits boolean not null default false,
  -- the next turn of its walk, and when it is due; null: the walk is over
  turn integer not null default 0,
  turn_at timestamptz,
  -- since when its run is under way
  run_since timestamptz,
  idempotency_key text,
  fingerprint bytea,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  -- in this order, so that a partner's simulations are found by the index below, which has them sorted
  unique (idempotency_key, partner_id)
);
create index simulations_by_partner on simulations (partner_id, id);
create index simulations_due on simulations (turn_at) where turn_at is not null;

create table simulation_events (
  id text primary key check (id ~ '^evt_[0-9a-z]{26}$'),
  tx xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  partner_id text not null references partners,
  simulation_id text not null references simulations on delete cascade,
  type text not null,
  status text not null,
  previous_status text,
  created_at timestamptz not null default now()
);
create index simulation_events_by_partner on simulation_events (partner_id, tx, seq);
create index simulation_events_by_simulation on simulation_events (simulation_id);

-- Their deliveries go the way of all others, and are told apart by this.
alter table webhook_deliveries add column simulation_id text;
