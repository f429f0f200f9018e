-- What all ended runs of an import left behind, written when a run ends, in the transaction that ends it. Whoever asks
-- reads it with the import, and adds the partitions of the live run, if there is one.
alter table imports
  -- records in the destination because of this import, by stream
  add column items jsonb not null default '{}',
  add column source_people integer not null default 0,
  add column destination_people integer not null default 0,
  add column matched_people integer not null default 0,
  -- what became otherwise than wished, by stream and cause: bounded in size, ids of records at most
  add column findings jsonb not null default '[]';

-- How far the partition had come a while ago: its speed is read from this. It moves with updates that happen anyway, at
-- most once a minute, and is in no index.
alter table partitions
  add column mark_at timestamptz,
  add column mark_read bigint,
  add column before_at timestamptz,
  add column before_read bigint;

-- For so many days after the full migration its later changes and retries are included.
alter table partners add column included_days integer not null default 30 check (included_days between 0 and 3650);
