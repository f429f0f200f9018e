-- What a migration costs. A book is never changed: another replaces it.
create table price_books (
  id text primary key check (id ~ '^book_[0-9a-z]{26}$'),
  -- null: for every partner that has no book of its own
  partner_id text references partners,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- [{"id": "small", "name": "Small", "upToRecords": 1000, "amount": 9900}, …], ascending; null: without a limit
  packages jsonb not null,
  -- {"helpdesk": ["tickets"], …}: the streams whose records count, by family; all others are free
  counts jsonb not null,
  quote_days integer not null check (quote_days between 1 and 365),
  refund_days integer not null check (refund_days between 0 and 365),
  created_at timestamptz not null default now(),
  created_by text not null,
  replaced_at timestamptz
);
create unique index price_books_current_key on price_books (coalesce(partner_id, '')) where replaced_at is null;

-- What one import costs, fixed after its sample from what was counted then. The package is a copy: books come and go.
create table quotes (
  id text primary key check (id ~ '^quo_[0-9a-z]{26}$'),
  import_id text not null references imports,
  price_book_id text not null references price_books,
  records bigint not null check (records >= 0),
  package jsonb not null,
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  made_at timestamptz not null default now(),
  valid_until timestamptz not null,
  replaced_at timestamptz
);
create unique index quotes_current_key on quotes (import_id) where replaced_at is null;

-- One attempt of a customer to pay. At most one of an import is under way.
create table checkouts (
  id text primary key check (id ~ '^chk_[0-9a-z]{26}$'),
  import_id text not null references imports,
  quote_id text not null references quotes,
  -- without tax
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  provider text not null,
  -- what the provider calls it; null until it has been asked
  reference text unique,
  url text,
  state text not null default 'opening' check (state in ('opening', 'open', 'paid', 'expired', 'failed')),
  -- on top of the amount, as the provider reckoned it
  tax bigint check (tax >= 0),
  paid_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  looked_at timestamptz,
  -- when the provider is asked what became of it; null: it has ended
  next_look_at timestamptz,
  check ((state = 'paid') = (paid_at is not null)),
  check (state <> 'open' or reference is not null)
);
create unique index checkouts_under_way_key on checkouts (import_id) where state in ('opening', 'open');
create index checkouts_by_import on checkouts (import_id, id);
create index checkouts_to_look_at on checkouts (next_look_at) where next_look_at is not null;

-- Money to give back. It is owed from the moment that the row is there, whatever the provider says.
create table refunds (
  id text primary key check (id ~ '^ref_[0-9a-z]{26}$'),
  checkout_id text not null unique references checkouts,
  import_id text not null references imports,
  -- with tax
  amount bigint not null check (amount > 0),
  reason text not null check (reason in ('closed', 'undone', 'not_completed', 'paid_twice', 'sponsored', 'operator',
    'provider', 'wrong_amount')),
  state text not null default 'due' check (state in ('due', 'asked', 'done', 'failed')),
  provider_reference text,
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now(),
  done_at timestamptz,
  check ((state = 'done') = (done_at is not null))
);
create index refunds_by_import on refunds (import_id);
create index refunds_to_do on refunds (next_attempt_at) where state in ('due', 'asked');

-- Double entry: each posting's lines add up to nothing in every currency. Rows are only ever added.
create table money_postings (
  id bigint generated always as identity primary key,
  kind text not null,
  -- what happened, by name: it happens once
  reference text not null unique,
  import_id text not null references imports,
  at timestamptz not null default now(),
  actor jsonb not null
);
create table money_entries (
  id bigint generated always as identity primary key,
  posting_id bigint not null references money_postings,
  import_id text not null references imports,
  partner_id text not null references partners,
  account text not null check (account in ('customer_paid', 'customer_due_back', 'at_provider', 'tax', 'goodwill',
    'partner_owes', 'sponsored_work')),
  amount bigint not null check (amount <> 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  at timestamptz not null default now()
);
create index money_entries_by_posting on money_entries (posting_id);
-- an import is bought while the sum of its customer_paid is above zero
create index money_entries_by_import on money_entries (import_id);
create index money_entries_by_partner on money_entries (partner_id, at);

create function money_adds_up() returns trigger language plpgsql as $$
begin
  if exists (select from money_entries where posting_id = new.posting_id group by currency having sum(amount) <> 0) then
    raise exception 'The lines of posting % do not add up to nothing.', new.posting_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger money_entries_add_up after insert on money_entries
  deferrable initially deferred for each row execute function money_adds_up();

create function money_stays() returns trigger language plpgsql as $$
begin
  raise exception 'What is in the books stays there: post the opposite.' using errcode = 'restrict_violation';
end $$;
create trigger money_entries_stay before update or delete on money_entries
  for each row execute function money_stays();
create trigger money_postings_stay before update or delete on money_postings
  for each row execute function money_stays();

-- When a partner's word is given without asking it.
create table sponsor_rules (
  partner_id text primary key references partners,
  -- [{"name": "small ones", "upToRecords": 1000, "upToCost": 9900, "planTag": "pro"}, …]; the first that fits accepts
  rules jsonb not null,
  -- what rules may spend in a calendar month (UTC); null: without a limit
  monthly_budget bigint check (monthly_budget >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  changed_at timestamptz not null default now()
);

-- Who decided about a sponsorship, when, and knowing what.
create table sponsor_decisions (
  id bigint generated always as identity primary key,
  import_id text not null references imports,
  partner_id text not null references partners,
  decision text not null check (decision in ('accepted', 'rejected')),
  actor jsonb not null,
  rule text,
  records bigint,
  cost bigint,
  currency text,
  at timestamptz not null default now()
);
create index sponsor_decisions_by_import on sponsor_decisions (import_id, id);
-- what rules have promised in a month
create index sponsor_decisions_by_rule on sponsor_decisions (partner_id, at) where rule is not null;

-- Work that a partner pays for: one row from its first start until it is credited. Priced when the count is known.
create table sponsor_charges (
  id bigint generated always as identity primary key,
  import_id text not null references imports,
  partner_id text not null references partners,
  quote_id text references quotes,
  records bigint,
  package jsonb,
  amount bigint check (amount >= 0),
  currency text,
  started_at timestamptz not null default now(),
  posted_at timestamptz,
  credited_at timestamptz,
  check ((posted_at is null) = (amount is null)),
  check ((posted_at is null) = (currency is null))
);
create unique index sponsor_charges_current_key on sponsor_charges (import_id) where credited_at is null;
create index sponsor_charges_to_post on sponsor_charges (id) where posted_at is null and credited_at is null;

-- Customers who remind their partner do so once a day.
create table partner_reminders (
  import_id text primary key references imports,
  sent_at timestamptz not null default now()
);

-- What payment providers have told us: each notice counts once.
create table payment_notices (
  provider text not null,
  notice_id text not null,
  type text not null,
  received_at timestamptz not null default now(),
  primary key (provider, notice_id)
);
create index payment_notices_by_age on payment_notices (received_at);

-- Nobody has written these yet: customer_paid of the books takes their place.
drop table payments;
