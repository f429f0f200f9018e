-- When what is kept for a time was last erased, by whichever worker or by the operator: one row, none before the first time.
create table last_retention (
  single boolean primary key default true check (single),
  ended_at timestamptz not null
);
