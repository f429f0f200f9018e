-- Concurrently: the audit log and the deliveries are large where the console is used most.

-- What the console's audit log opens with: one call in hundreds is a change.
create index concurrently if not exists staff_audit_changes on staff_audit (seq desc) where changes;
create index concurrently if not exists staff_audit_changes_by_staff on staff_audit (staff_id, seq desc) where changes;

-- How far webhooks are behind, of one partner and of all, from the index alone.
create index concurrently if not exists webhook_deliveries_open on webhook_deliveries (partner_id, state, due_at)
  where state in ('waiting', 'sending', 'held');

-- Payments that customers dispute, newest first; few of them are undecided.
create index concurrently if not exists disputes_by_time on disputes (opened_at desc, reference);
create index concurrently if not exists disputes_undecided on disputes (opened_at desc, reference)
  where state in ('inquiry', 'open');
