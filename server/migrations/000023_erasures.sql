-- Imports whose data was erased, on request or at the end of its retention. Kept, so that an erasure can be shown later.
create table erasures (
  import_id text primary key references imports,
  reason text not null check (reason in ('requested', 'retention')),
  -- {"connections": 2, …}: rows by table, counted in the transactions that deleted them
  erased jsonb not null default '{}',
  begun_at timestamptz not null default now(),
  ended_at timestamptz
);

create index outbox_dispatched on outbox (dispatched_at) where dispatched_at is not null;
create index imports_closed on imports (closed_at, id) where closed is not null;
