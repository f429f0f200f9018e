create table partners (
  id text primary key check (id ~ '^prt_[0-9a-z]{26}$'),
  name text not null check (name <> ''),
  destination_tool text not null,
  default_family text check (default_family in ('helpdesk', 'projects', 'crm', 'content')),
  payer text not null default 'partner_decides' check (payer in ('customer', 'partner_decides', 'partner')),
  -- where the customer is sent on asking for the full migration, when the partner decides
  full_request_url text,
  -- {"color": "#1d4ed8", "logo_url": "https://…", "help_url": "…", "privacy_url": "…", "return_url": "…"}
  branding jsonb not null default '{}',
  -- null: every tool that shares a family with the destination
  allowed_source_tools text[],
  archive_after_days integer not null default 90 check (archive_after_days between 1 and 3650),
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);

-- the token itself is never stored; 40 random base62 characters need no salt
create table api_tokens (
  id text primary key check (id ~ '^tok_[0-9a-z]{26}$'),
  partner_id text not null references partners,
  hash bytea not null unique check (length(hash) = 32),
  label text not null,
  last_characters text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index api_tokens_by_partner on api_tokens (partner_id, id);

-- The last ten accepted requests of each partner, newest first. Unlogged: a crash may forget one second of history.
create unlogged table request_ring (
  partner_id text primary key,
  accepted_at timestamptz[] not null
) with (fillfactor = 50);
