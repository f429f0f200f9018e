-- When a customer wants the full migration to start. The worker looks here, so that no lost message can lose a start.
create table scheduled_starts (
  import_id text primary key references imports,
  starts_at timestamptz not null,
  -- in which the customer chose the time, and sees it
  time_zone text not null,
  -- counts changes: a mail is about one of them
  revision integer not null default 1,
  -- due: taken up, the checks before the start are under way; a started one has no row
  state text not null default 'waiting' check (state in ('waiting', 'due', 'missed')),
  missed_because text,
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  check ((state = 'missed') = (missed_because is not null))
);
create index scheduled_starts_due on scheduled_starts (starts_at) where state = 'waiting';

alter table mails drop constraint mails_occasion_check;
alter table mails add constraint mails_occasion_check
  check (occasion in ('sample_ready', 'done', 'undone', 'needs_you', 'starts_soon'));
