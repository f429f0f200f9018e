-- The run whose check has compared this copy with a page of the source, and counted it: what has no such mark is compared by its
-- id. Null: none has.
alter table ledger add column compared integer;
