-- How operators look for imports: newest first, by one of these.
create index imports_by_status on imports (status, id desc);
create index imports_by_source_tool on imports (source_tool, id desc);
create index imports_by_destination_tool on imports (destination_tool, id desc);
create index imports_by_reference on imports (reference, id desc) where reference is not null;
create index imports_by_username on imports (username_key, id desc) where username_key is not null;

-- Where stuck ones are found: few among many.
create index imports_live on imports (id) where live_run is not null;
create index imports_undecided on imports (active_at)
  where closed is null and asked and sponsorship = 'undecided';

create index webhook_deliveries_by_import on webhook_deliveries (import_id, event_id) where import_id is not null;
