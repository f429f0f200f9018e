-- What the destination declared about a copy when it was written, by field: the digest of the value that the copy has instead,
-- or null for any. Verification reports every other difference from the source. Null: nothing was declared.
alter table ledger add column declared jsonb;
