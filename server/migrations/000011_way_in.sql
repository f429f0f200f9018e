-- Further links to an import, beside the one that its partner got. A link is revoked by deleting its row.
create table import_links (
  id text primary key check (id ~ '^lnk_[0-9a-z]{26}$'),
  import_id text not null references imports,
  -- email: acts for the customer; admin: connects one side and nothing else
  purpose text not null check (purpose in ('email', 'admin')),
  side text check (side in ('source', 'destination')),
  token_hash bytea not null check (length(token_hash) = 32),
  -- SHA-256 of the sealed token of the import's own link when this one was made: re-issuing that ends this one, too
  link_mark bytea not null check (length(link_mark) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (import_id, token_hash),
  check ((purpose = 'admin') = (side is not null))
);
create index import_links_by_expiry on import_links (expires_at);

-- Browsers that came by a link. The cookie itself is never stored.
create table wizard_sessions (
  key_hash bytea primary key check (length(key_hash) = 32),
  import_id text not null references imports,
  -- null: came by the import's own link. No foreign key: a session whose link is gone is not let in, and expires
  link_id text,
  link_mark bytea not null check (length(link_mark) = 32),
  created_at timestamptz not null default now(),
  -- moves with use, never past ends_at
  expires_at timestamptz not null,
  ends_at timestamptz not null,
  check (expires_at <= ends_at)
);
create index wizard_sessions_by_import on wizard_sessions (import_id, created_at);
create index wizard_sessions_by_expiry on wizard_sessions (expires_at);

-- Served from here: a customer's browser asks no other site.
create table partner_logos (
  partner_id text primary key references partners,
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml')),
  bytes bytea not null check (length(bytes) between 1 and 262144),
  updated_at timestamptz not null default now()
);
