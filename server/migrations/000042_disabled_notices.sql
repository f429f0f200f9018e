-- Where a partner's own people are written to, such as when its webhook endpoint is disabled.
alter table partners add column contact_email text;

-- The mail that a target is disabled: when it is due, or its next attempt. Null: there is none to send.
alter table webhook_targets
  add column notice_due_at timestamptz,
  add column notice_attempts integer not null default 0;
