-- The two changes of the schema that the running service makes, as functions of the tables' owner: the role that the service
-- connects as needs no right to change anything itself (docs/operators/database-roles.md).
-- Each takes a month and makes up all names itself, so that a caller can't reach any other table. The search path is fixed: a
-- function with its owner's rights must not find what a caller has put in front.

-- The smallest id of an import at this moment, as in server/src/platform/ids.ts: 48 bits of time, then 80 that are zero.
create function first_import_id_at(at timestamptz) returns text language sql immutable strict parallel safe
  return 'imp_' || (
    select string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz',
        (((extract(epoch from at) * 1000)::bigint >> (45 - 5 * n)) & 31)::integer + 1, 1), '' order by n)
    from generate_series(0, 9) n) || repeat('0', 16);

-- Safe to call from several processes at once.
create function create_ledger_month(month date) returns void language plpgsql strict security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  name text := 'ledger_' || to_char(month, 'YYYY_MM');
begin
  if month is distinct from date_trunc('month', month::timestamp)::date or extract(year from month) not between 1970 and 9999 then
    raise exception 'not the first day of a month: %', month using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('ledger months', 0));
  -- Attached afterwards: that does not wait for readers of other months.
  execute format('create table if not exists public.%I (like public.ledger including all) partition by hash (import_id)', name);
  for leaf in 0..7 loop
    execute format(
      'create table if not exists public.%I partition of public.%I for values with (modulus 8, remainder %s) with (fillfactor = 90)',
      name || '_' || leaf, name, leaf);
  end loop;
  if not exists (select from pg_inherits where inhrelid = format('public.%I', name)::regclass) then
    execute format('alter table public.ledger attach partition public.%I for values from (%L) to (%L)', name,
      public.first_import_id_at(month::timestamp at time zone 'UTC'),
      public.first_import_id_at((month + interval '1 month') at time zone 'UTC'));
  end if;
end $$;

-- Drops a month that is over, unless it has an open import or one whose old links still lead to its copies.
create function drop_ledger_month(month date) returns boolean language plpgsql strict security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  name text := 'ledger_' || to_char(month, 'YYYY_MM');
  first_id text := public.first_import_id_at(month::timestamp at time zone 'UTC');
  end_id text := public.first_import_id_at((month + interval '1 month') at time zone 'UTC');
begin
  if month is distinct from date_trunc('month', month::timestamp)::date or (month + interval '1 month') at time zone 'UTC' > now() then
    raise exception 'not a month that is over: %', month using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from pg_inherits
      where inhparent = 'public.ledger'::regclass and inhrelid = to_regclass(format('public.%I', name)))
    or exists (select from public.imports where id >= first_id and id < end_id and closed is null)
    or exists (select from public.old_links where import_id >= first_id and import_id < end_id) then
    return false;
  end if;
  execute format('alter table public.ledger detach partition public.%I', name);
  execute format('drop table public.%I', name);
  return true;
end $$;

-- `portage migrate` lets the service's role in.
revoke all on function create_ledger_month(date), drop_ledger_month(date) from public;
