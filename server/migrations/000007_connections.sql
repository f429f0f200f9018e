-- What a customer connected: one row per side. Whatever is sealed here is sealed by the import's data key.
create table connections (
  import_id text not null references imports,
  side text not null check (side in ('source', 'destination')),
  tool text not null,
  -- a side that was disconnected keeps its account's name, so that a copy that was begun is not gone on with elsewhere
  state text not null check (state in ('connected', 'expired', 'disconnected')),
  -- sealed, as they were given: a newer connector adds its own defaults when it reads them
  settings bytea,
  account_id text not null,
  account_name text not null,
  sign_in_name text not null,
  -- rises each time that a person connects: what failed with an earlier sign-in says nothing about a later one
  revision integer not null default 1,

  access_token bytea,
  refresh_token bytea,
  access_expires_at timestamptz,
  -- rises with each change of the tokens: a refresh is kept only over the tokens that it started from
  token_generation integer not null default 1,
  -- who refreshes now, and until when nobody else may
  refresh_claim uuid,
  refresh_until timestamptz,

  connected_at timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  primary key (import_id, side),
  check ((settings is null) = (state = 'disconnected')),
  check (settings is not null or access_token is null),
  check (access_token is not null or refresh_token is null),
  check ((refresh_claim is null) = (refresh_until is null))
);

-- Customers who are at a tool's sign-in page right now. Each row is taken once.
create table sign_ins (
  -- of the state that comes back with the customer
  state_hash bytea primary key check (length(state_hash) = 32),
  import_id text not null references imports,
  side text not null check (side in ('source', 'destination')),
  tool text not null,
  -- sealed: the settings and the proof that belongs to the code
  kept bytea not null,
  expires_at timestamptz not null
);
create index sign_ins_by_import on sign_ins (import_id);
create index sign_ins_by_expiry on sign_ins (expires_at);
