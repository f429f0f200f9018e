-- Metrics count open imports by status every few seconds: from the index alone.
create index open_imports_by_status on imports (status) where closed is null;
