-- The servers that this database was recognized on; the last one is the current one. A standby that was promoted has another
-- timeline, as has a server that was restored from a backup; a database that was dumped and loaded has another system
-- identifier. Each of them may lack commits whose effects the destinations have.
create table database_servers (
  no integer primary key check (no > 0),
  system_identifier bigint not null,
  timeline integer not null,
  recognized_at timestamptz not null default now()
);

-- From the name of the current WAL file: the control file names the timeline of the last checkpoint, which is older.
create function server_timeline() returns integer language sql stable
  return ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;

insert into database_servers (no, system_identifier, timeline)
select 1, system_identifier, server_timeline() from pg_control_system();

-- Runs with every page: plpgsql keeps the plans of its statements.
create function is_recognized_server() returns boolean language plpgsql stable cost 1000 as $$
declare
  known database_servers;
begin
  select * into known from database_servers order by no desc limit 1;
  return known.timeline = server_timeline()
    and known.system_identifier = (pg_control_system()).system_identifier;
end $$;

-- A lease is held through a random token. A counter can be given out twice: once before commits were lost, once after.
-- epoch counts the attempts.
alter table partitions add column lease_token uuid;

-- Whether a lease is held: an attempt from before commits were lost does not know what the database has now.
create function is_held(token uuid, by_token uuid) returns boolean language plpgsql stable cost 1000 as $$
begin
  return token = by_token and is_recognized_server();
end $$;

-- The release before this one takes a lease through the epoch alone.
create function renew_lease_token() returns trigger language plpgsql as $$
begin
  new.lease_token := gen_random_uuid();
  return new;
end $$;
create trigger partitions_lease_token before update of epoch on partitions for each row
  when (new.epoch <> old.epoch and new.lease_token is not distinct from old.lease_token)
  execute function renew_lease_token();

alter table runs
  -- the server that it began on, or that was recognized while it was unfinished
  add column server integer not null default 1,
  -- Commits may be lost: the first generation of keys that lost writes may have. Null: none is lost.
  add column looks_from integer,
  -- Of its partitions: a number that was used before a loss must not come back, since the engine drops repeated chunks.
  add column first_generation integer not null default 1;
