-- Measurements before a full run that copies send no messages. The token names the canaries: it is in their keys and address, so
-- that what an interrupted attempt wrote can be found and removed.
create table silence_checks (
  token text primary key,
  import_id text not null references imports,
  run_id text not null,
  -- the attempts of a run
  no integer not null,
  started_at timestamptz not null default now(),
  -- until when a request that writes may be in flight
  deadline timestamptz not null,
  -- null: it is not known whether all were written
  written_at timestamptz,
  records integer not null default 0,
  -- why nothing could be measured
  not_measured text,
  -- null: canaries may be in the destination
  removed_at timestamptz,
  -- about canaries: [{"stream", "subject"}]
  messages jsonb not null default '[]',
  unique (run_id, no)
);
create index silence_checks_by_import on silence_checks (import_id, started_at);

alter table partitions drop constraint partitions_task_check;
alter table partitions add constraint partitions_task_check
  check (task in ('prepare', 'choose', 'silence', 'copy', 'sweep', 'link', 'verify', 'remove', 'remove_fields')) not valid;
alter table partitions validate constraint partitions_task_check;
