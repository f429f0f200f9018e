-- A row remembers the key that was ever sent for its record, and where to look for it: a destination may refuse what it
-- took. Null: no key was sent.
alter table ledger alter column key_generation drop not null;
-- The parent in the source, as stream/id: some destinations find nothing without it.
alter table ledger add column parent text;
