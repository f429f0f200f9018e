/** The origin of every imported row: its key, its id in the old tool, its import time. Rows created here have none. */
const provenance = `
  external_key text unique,
  source_id text,
  imported_at text`;

const common = `
  id integer primary key autoincrement,
  created_at text,
  updated_at text,
  tags text not null default '[]',
  custom_fields text not null default '{}',${provenance}`;

/** Ids are never reused (autoincrement); a row that others reference can't be deleted before them. */
export const schema = `
create table if not exists users (${common},
  name text not null, email text, active integer not null default 1, role text not null default 'agent');
create index if not exists users_by_email on users (email collate nocase);

create table if not exists organizations (${common},
  name text not null, domains text not null default '[]', notes text);

create table if not exists contacts (${common},
  name text not null, emails text not null default '[]', phones text not null default '[]',
  organization_id integer references organizations (id), locale text, time_zone text, notes text);
create index if not exists contacts_by_organization on contacts (organization_id);

create table if not exists groups (${common},
  name text not null, description text, member_ids text not null default '[]');

create table if not exists tickets (${common},
  subject text not null, description text, status text not null, status_kind text not null,
  priority text, priority_kind text, type text, author text, requester text, assignee text,
  group_id integer references groups (id), organization_id integer references organizations (id),
  followers text not null default '[]', channel text, due_at text, solved_at text,
  visibility text not null default 'public');
create index if not exists tickets_by_group on tickets (group_id);
create index if not exists tickets_by_organization on tickets (organization_id);
create index if not exists tickets_by_requester on tickets (json_extract(requester, '$.stream'), json_extract(requester, '$.id'));

create table if not exists comments (${common},
  ticket_id integer not null references tickets (id), visibility text not null, body text not null, author text);
create index if not exists comments_by_ticket on comments (ticket_id);

create table if not exists articles (${common},
  title text not null, body text not null, path text not null default '[]', state text not null,
  locale text, position real, author text);

create table if not exists brands (${common}, name text not null);
create table if not exists macros (${common}, name text not null, body text not null);
create table if not exists ticketRelations (${common},
  from_ticket_id integer not null references tickets (id), to_ticket_id integer not null references tickets (id));
create index if not exists relations_from on ticketRelations (from_ticket_id);
create index if not exists relations_to on ticketRelations (to_ticket_id);
create table if not exists timeEntries (${common}, ticket_id integer not null references tickets (id));
create index if not exists time_entries_by_ticket on timeEntries (ticket_id);
create table if not exists ratings (${common}, ticket_id integer not null references tickets (id));
create index if not exists ratings_by_ticket on ratings (ticket_id);
create table if not exists articleCategories (${common}, name text not null,
  parent_category_id integer references articleCategories (id));
create table if not exists articleTranslations (${common}, article_id integer not null references articles (id));
create index if not exists translations_by_article on articleTranslations (article_id);

create table if not exists attachments (${common},
  parent_stream text not null, parent_id integer not null, file_name text not null, content_type text not null,
  size integer not null, inline integer not null default 0, description text, author text,
  sha256 text not null, path text not null);
create index if not exists attachments_by_parent on attachments (parent_stream, parent_id);

create table if not exists uploads (
  stream text not null, external_key text not null, path text not null, size integer not null,
  sha256 text not null, received_at integer not null, primary key (stream, external_key));

create table if not exists created_fields (
  id integer primary key autoincrement, stream text not null, mark text not null, label text not null, type text not null,
  options text not null default '[]', unique (stream, mark));

create table if not exists seen_calls (id text primary key, seen_at integer not null) without rowid;
create index if not exists seen_calls_by_time on seen_calls (seen_at);

create table if not exists mails (
  id integer primary key autoincrement, recipient text not null, subject text not null, queued_at text not null);

create table if not exists moves (
  id integer primary key autoincrement, form_key text not null unique, source_tool text not null, import_id text,
  redirect_url text, status text, items text not null default '{}', decision text not null default 'undecided',
  needs_attention integer not null default 0, closed integer not null default 0, created_at text not null);

create table if not exists seen_events (id text primary key) without rowid;

create table if not exists caught_up (one integer primary key check (one = 1), event_id text not null);
`;
