-- Raised when the target gets another address or is enabled: what an attempt says about its health counts only for the
-- epoch that it was sent in.
alter table webhook_targets add column health_epoch integer not null default 0;
