-- The partner asked for import.progress: how a live run comes along, at most once a minute for an import.
alter table webhook_targets add column progress boolean not null default false;

-- When the last of them was sent, or given up, by this server's clock.
alter table runs add column progress_at timestamptz;
alter table simulations add column progress_at timestamptz;
