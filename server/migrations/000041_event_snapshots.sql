-- The import's figures when the event happened: {"items": {…}, "people": {"source": …, "destination": …, "matched": …}}.
-- Null: the event is older than this column, and shows the current figures.
alter table events add column figures jsonb;
alter table simulation_events add column figures jsonb;

-- Who or what closed the import; only of import.closed.
alter table events add column reason text;
alter table simulation_events add column reason text;
