-- What a retry of failures looks for: few among many millions, which a scan would not find in a statement's time. The
-- condition is that of listFailed, to the letter: 4 is failed, 3 skipped, 1 written.
create index ledger_to_retry on ledger (import_id, stream, source_id)
  where state = 4 or (state = 3 and reason = 'parent_missing') or (state = 1 and reason = 'update_failed');
