-- Payments that a customer disputes at their bank (chargebacks), as the provider reports them. One payment can have several.
create table disputes (
  provider text not null,
  -- the provider's id
  reference text not null,
  checkout_id text not null references checkouts,
  import_id text not null references imports,
  -- inquiry: the bank asks before it decides; closed: it ended without a decision
  state text not null check (state in ('inquiry', 'open', 'won', 'lost', 'closed')),
  -- the provider's word for the customer's reason
  reason text not null,
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- what the bank has taken back and not returned, as posted
  withdrawn bigint not null default 0 check (withdrawn >= 0),
  -- how often it was posted
  postings integer not null default 0,
  opened_at timestamptz not null,
  changed_at timestamptz not null default now(),
  primary key (provider, reference)
);
create index disputes_by_import on disputes (import_id);

alter table money_entries drop constraint money_entries_account_check;
alter table money_entries add constraint money_entries_account_check check (account in ('customer_paid',
  'customer_due_back', 'at_provider', 'tax', 'goodwill', 'partner_owes', 'sponsored_work', 'disputed')) not valid;
alter table money_entries validate constraint money_entries_account_check;
