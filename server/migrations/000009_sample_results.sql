-- What a sample covers is told in words of the customer's own tool, so it is sealed with the review, not kept here.
alter table sample_records drop column covers;

-- One review per import: that of its last sample. Sealed by the import's data key, and erased with its credentials or
-- when it is old, with all results.
create table sample_reviews (
  import_id text primary key references imports on delete cascade,
  -- where the choice of this run's records has got to; null once it is made
  work bytea,
  coverage bytea,
  made_at timestamptz not null default now()
);
create index sample_reviews_by_age on sample_reviews (made_at);

-- What became of each record of the sample, for people to look at.
create table sample_results (
  import_id text not null references sample_reviews on delete cascade,
  stream text collate "C" not null,
  source_id text collate "C" not null,
  -- the run that the ledger's row was from: a later one makes this out of date
  run_number integer not null,
  state smallint not null check (state between 1 and 6),
  reason text,
  dest_id text,
  -- what it belongs to at the source
  parent_stream text collate "C",
  parent_id text collate "C",
  -- how many fields came out otherwise than they were
  changes integer not null check (changes >= 0),
  -- sealed: the record as it was read, as it was written, as the destination has it, and why it differs
  content bytea not null,
  primary key (import_id, stream, source_id)
);
