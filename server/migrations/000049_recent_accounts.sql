-- Small table: it has a row per account that was used within a week, and is empty after a crash.

-- When the account was last used, to five minutes. The index is on this and not on changed_at, which moves with every request:
-- a row that changes within the same five minutes is still updated in place.
alter table account_slots add column used_at timestamptz
  generated always as (date_bin('5 minutes', changed_at, '2000-01-01 00:00:00+00'::timestamptz)) stored;
create index account_slots_by_use on account_slots (used_at);

-- When someone asked for retention at once; null, or before its last end: nobody did since.
alter table last_retention add column wanted_at timestamptz;
