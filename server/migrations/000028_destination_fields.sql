-- Fields of a destination that imports created or share: a row is written before the tool is asked, and settled after it.
-- Written under the lock of the account (see matched_records), so that no import begins to use a field that another removes.
create table destination_fields (
  import_id text not null references imports on delete cascade,
  stream text not null,
  -- of the source's field that it is for; empty: the field that holds external keys
  source_key text not null,
  tool text not null,
  account_id text not null,
  -- what the tool stores with the field, to recognise it
  mark text not null,
  -- found: another import created it, or a person did; kept: an undo left it there, for the reason
  state text not null check (state in ('creating', 'created', 'found', 'removing', 'removed', 'kept')),
  -- as the tool described it; null: never seen
  field jsonb,
  reason text,
  detail text,
  -- until when a request of this claim may be in flight
  deadline timestamptz not null,
  -- since when it is known to be there
  created_at timestamptz,
  primary key (import_id, stream, source_key)
);
create index destination_fields_by_account on destination_fields (tool, account_id, stream);

alter table partitions drop constraint partitions_task_check;
alter table partitions add constraint partitions_task_check
  check (task in ('prepare', 'choose', 'copy', 'sweep', 'link', 'verify', 'remove', 'remove_fields')) not valid;
alter table partitions validate constraint partitions_task_check;
