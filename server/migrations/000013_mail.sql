-- Where a customer wants to be written to about an import. Deleted when they say so, and with the import's sign-ins.
create table mail_addresses (
  import_id text primary key references imports,
  -- address and the key to stopping mails, sealed by the import's data key
  sealed bytea not null,
  language text not null check (language ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  created_at timestamptz not null default now()
);

-- Mails to write: made in the transaction of the change that they tell of. No address, text or link is in here.
create table mails (
  id text primary key check (id ~ '^eml_[0-9a-z]{26}$'),
  import_id text not null references imports,
  occasion text not null check (occasion in ('sample_ready', 'done', 'undone', 'needs_you')),
  -- what somebody is needed for; '' for other occasions
  about text not null,
  -- the run that it tells of, '' for none; and for a sign-in, which one of that side it was
  run_id text not null,
  round integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'refused', 'given_up')),
  attempts integer not null default 0,
  -- while it is being sent: when it is taken for lost
  next_attempt_at timestamptz not null default now(),
  claim uuid,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (import_id, occasion, about, run_id, round),
  check ((state = 'waiting') = (ended_at is null))
);
create index mails_due on mails (next_attempt_at) where state = 'waiting';
