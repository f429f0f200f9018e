-- People who operate this installation, and what they did. A person is disabled, never deleted: the audit log names them.
create table staff (
  id text primary key check (id ~ '^stf_[0-9a-z]{26}$'),
  name text not null check (name <> ''),
  email text not null check (email <> ''),
  role text not null check (role in ('viewer', 'operator', 'admin')),
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index staff_email_key on staff (lower(email));

-- The token itself is never stored; 40 random base62 characters need no salt.
create table staff_tokens (
  id text primary key check (id ~ '^stk_[0-9a-z]{26}$'),
  staff_id text not null references staff,
  hash bytea not null unique check (length(hash) = 32),
  label text not null,
  last_characters text not null,
  -- what the token may do at most; its person may be allowed less by now
  role text not null check (role in ('viewer', 'operator', 'admin')),
  -- null: every area of the operator API
  areas text[],
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index staff_tokens_by_staff on staff_tokens (staff_id, id);

-- Every call of the operator API and every change by a command on the database, written with the change itself.
create table staff_audit (
  seq bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- null: a command on the database, which knows no person of ours
  staff_id text references staff,
  token_id text references staff_tokens,
  -- of the command: the user of the machine
  machine_user text,
  role text check (role in ('viewer', 'operator', 'admin')),
  action text not null,
  changes boolean not null,
  -- import, partner, staff, …, and its id; null: a list
  target text,
  target_id text,
  reason text,
  request_id text not null,
  idempotency_key text,
  -- "done", or the code of the error
  outcome text not null,
  -- of a change: what it changed, without data of customers
  before jsonb,
  after jsonb,
  check ((staff_id is null) <> (machine_user is null))
);
create index staff_audit_by_staff on staff_audit (staff_id, seq desc);
create index staff_audit_by_target on staff_audit (target_id, seq desc);
create index staff_audit_by_action on staff_audit (action, seq desc);
create index staff_audit_by_age on staff_audit (at);
-- One change per key, also of two at once: the second insert fails, and its change with it.
create unique index staff_audit_once_key on staff_audit (staff_id, idempotency_key)
  where idempotency_key is not null and outcome = 'done';
