-- An update without a clear answer may have changed the copy: if it is no longer as `dest_hash` says, nobody knows who changed it.
alter table ledger add column unclear boolean not null default false;
