create table imports (
  id text primary key check (id ~ '^imp_[0-9a-z]{26}$'),
  partner_id text not null references partners,
  source_tool text not null,
  destination_tool text not null,
  family text not null check (family in ('helpdesk', 'projects', 'crm', 'content')),
  reference text,
  destination_instance_url text,
  destination_username text,
  -- the username given at creation, else the sign-in name found on connecting; NFC, trimmed, lower case
  username_key text,
  data_key bytea not null,
  link_token bytea not null,
  destination_token bytea,

  status text not null check (status in ('collecting_credentials', 'waiting_for_sample', 'sample_in_progress',
    'sample_completed', 'in_preparation', 'migration_in_progress', 'migration_completed', 'undo_in_progress',
    'migration_cleaned')),
  sponsorship text not null check (sponsorship in ('undecided', 'accepted', 'rejected')),
  -- what the transition table needs to know beside the status; written only together with it
  start_full boolean not null,
  asked boolean not null default false,
  sponsored_full_started boolean not null default false,
  source_connected boolean not null default false,
  destination_connected boolean not null default false,
  sample_copy text not null default 'none' check (sample_copy in ('none', 'part', 'all')),
  full_copy text not null default 'none' check (full_copy in ('none', 'part', 'all')),
  live_run text check (live_run in ('sample', 'full', 'delta', 'retry_failed', 'undo')),
  stopping text check (stopping in ('stop', 'undo')),
  -- how many events this import has taken: the number of its last audit row
  audit_seq integer not null default 0,
  closed text check (closed in ('cancelled', 'archived')),
  closed_at timestamptz,
  active_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check ((closed is null) = (closed_at is null)),
  check (live_run is not null or stopping is null),
  check (status <> 'sample_completed' or sample_copy = 'all')
);
-- GET /imports; ids are time-ordered, so newest first is id descending
create index imports_open_by_username on imports (partner_id, username_key, id desc) where closed is null;
create index imports_by_partner on imports (partner_id, id desc);
create index imports_idle on imports (active_at, id) where closed is null;

-- Money that customers paid, and money given back. An import is bought while its sum is above zero.
create table payments (
  id text primary key check (id ~ '^pay_[0-9a-z]{26}$'),
  import_id text not null references imports,
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  provider_reference text not null unique,
  created_at timestamptz not null default now()
);
create index payments_by_import on payments (import_id);

create table import_warnings (
  import_id text not null references imports on delete cascade,
  code text not null,
  stream text not null default '',
  message text not null,
  count integer not null check (count >= 0),
  created_at timestamptz not null default now(),
  primary key (import_id, code, stream)
);

-- Every event that moved or marked an import, in the order in which it happened. Replays to the import's row.
create table audit (
  import_id text not null references imports,
  seq integer not null,
  event jsonb not null,
  from_status text,
  to_status text not null,
  actor text not null,
  at timestamptz not null default now(),
  primary key (import_id, seq)
);
