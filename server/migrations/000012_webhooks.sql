-- Where a partner is told of its events: one address, set by the operator.
create table webhook_targets (
  partner_id text primary key references partners,
  url text not null,
  secret bytea not null,
  -- during a rotation: what receivers still check the classic header with
  old_secret bytea,
  old_secret_until timestamptz,
  -- null: every type
  event_types text[],
  -- an import's later events wait for its earlier ones
  ordered boolean not null default true,
  -- the first failed attempt since the last success; written only when that changes
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('gone', 'no_success', 'operator')),
  created_at timestamptz not null default now(),
  check ((disabled_at is null) = (disabled_because is null)),
  check ((old_secret is null) = (old_secret_until is null))
);

-- One event on its way to the partner's address; written with the event. Deliveries of one lane go one after another:
-- its head waits or is being sent, the others are held back.
create table webhook_deliveries (
  event_id text primary key,
  partner_id text not null references partners,
  import_id text,
  type text not null,
  -- of the event: the order within a lane
  seq bigint not null,
  lane text not null,
  state text not null check (state in ('waiting', 'sending', 'held', 'delivered', 'failed')),
  -- failed ones since it was written or replayed: which delay of the schedule is next
  failures integer not null default 0,
  -- raised by whoever takes it; an attempt of another generation changes nothing
  generation integer not null default 0,
  next_attempt_at timestamptz,
  -- when it is taken, whatever became of the one who should have done it before
  due_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((due_at is not null) = (state in ('waiting', 'sending')))
);
create index webhook_deliveries_due on webhook_deliveries (partner_id, due_at) where state in ('waiting', 'sending');
create index webhook_deliveries_sending on webhook_deliveries (partner_id, due_at) where state = 'sending';
create index webhook_deliveries_lane on webhook_deliveries (lane, seq) where state in ('waiting', 'sending', 'held');
create unique index webhook_deliveries_head_key on webhook_deliveries (lane) where state in ('waiting', 'sending');
create index webhook_deliveries_by_partner on webhook_deliveries (partner_id, event_id);

-- Every call that was made, and what came back: the import's token is cut out of it.
create table webhook_attempts (
  event_id text not null,
  generation integer not null,
  at timestamptz not null,
  status integer,
  duration_ms integer not null,
  error text,
  answer text,
  primary key (event_id, generation)
);

-- An event of no import, such as a test, carries what it tells.
alter table events
  alter column import_id drop not null,
  add column payload jsonb,
  add check ((import_id is null) = (payload is not null));

-- Partners are told by way of their deliveries. Until now nobody read these.
delete from outbox where effect ->> 'kind' = 'notify';
