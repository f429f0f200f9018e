-- When a simulation's last turn or action happened; null: it was made by the release before, and shows when it was created.
alter table simulations add column active_at timestamptz;
