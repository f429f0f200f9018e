-- A value that each key sealed when a process first used it as the current one. Who opens it has that key, and not another
-- one of the same id.
create table key_checks (
  key_id text primary key,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
