-- How an import's old addresses lead to its new records: what is needed for that once the sign-ins are erased. One row per
-- import, written when its full migration begins; settings without secrets.
create table old_links (
  import_id text primary key references imports on delete cascade,
  partner_id text not null references partners,
  family text not null,
  source_tool text not null,
  source_settings jsonb not null,
  destination_tool text not null,
  destination_settings jsonb not null,
  -- addresses by stream that only the destination's instance tells, with {id} for a record's id
  destination_urls jsonb not null,
  ledger_leaf text not null,
  -- the beginning of the last full migration: the partner's days count from here
  since timestamptz not null default now()
);
create index old_links_by_age on old_links (partner_id, since);

alter table partners add column old_links_days integer not null default 400 check (old_links_days between 0 and 400);
