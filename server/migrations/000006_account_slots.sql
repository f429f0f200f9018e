-- What all processes share about one account of a tool: the limits as they were learned, the schedule of starts, who
-- holds which places. The row of a whole tool has the account ''. By the database's clock. Unlogged: after a crash the
-- processes put back what they know.
create unlogged table account_slots (
  tool text not null,
  account_id text not null,
  -- a change is made to the very version that it was computed from
  version bigint not null,
  changed_from bigint not null,
  -- text that only the server reads, never one record or secret of a customer
  state json not null,
  changed_at timestamptz not null,
  primary key (tool, account_id)
) with (fillfactor = 50);
