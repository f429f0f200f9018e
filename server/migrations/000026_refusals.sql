-- A run pauses when the destination refuses record after record for the same reason: which stream, which code, how many in a row.
-- Null: it does not rest for that.
alter table runs add column refusals jsonb;
-- How often it did: a person who lets it go on is not asked again as soon.
alter table runs add column refusal_pauses integer not null default 0;
