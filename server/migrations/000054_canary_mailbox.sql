-- When a worker last opened or closed its mailbox for canaries: a mail that came while one was closed is not in silence_checks.
create table canary_mailbox (
  single boolean primary key default true check (single),
  changed_at timestamptz not null
);
