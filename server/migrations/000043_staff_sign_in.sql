-- How people of the staff sign in to the console: by password and code, or by the operator's identity provider.

-- A person of a partner sees that partner alone.
alter table staff drop constraint staff_role_check;
alter table staff add constraint staff_role_check check (role in ('viewer', 'operator', 'admin', 'partner'));
alter table staff add column partner_id text references partners;
alter table staff add constraint staff_partner_check check ((role = 'partner') = (partner_id is not null));
-- For emergencies: every sign-in has an action of its own in the audit log.
alter table staff add column break_glass boolean not null default false;
-- Of the identity provider; null: the person has never signed in there.
alter table staff add column oidc_issuer text;
alter table staff add column oidc_subject text;
alter table staff add constraint staff_oidc_check check ((oidc_issuer is null) = (oidc_subject is null));
create unique index staff_oidc_key on staff (oidc_issuer, oidc_subject);

-- A browser that a person signed in with. The cookie itself is never stored; 40 random base62 characters need no salt.
create table staff_sessions (
  id text primary key check (id ~ '^sts_[0-9a-z]{26}$'),
  staff_id text not null references staff,
  hash bytea not null unique check (length(hash) = 32),
  signed_in_by text not null check (signed_in_by in ('local', 'passkey', 'oidc')),
  address text not null,
  created_at timestamptz not null default now(),
  -- in any case
  expires_at timestamptz not null,
  -- without a call; each call moves it
  idle_at timestamptz not null,
  revoked_at timestamptz
);
create index staff_sessions_by_staff on staff_sessions (staff_id, id);
create index staff_sessions_by_end on staff_sessions (expires_at);

create table staff_passwords (
  staff_id text primary key references staff,
  -- scrypt with its parameters and salt
  hash text not null,
  -- sealed by the key ring
  totp_secret bytea not null,
  -- the time step of the last code that was accepted: none is accepted twice
  totp_step bigint not null,
  set_at timestamptz not null default now()
);

-- An open invitation to choose a password, one per person; it is deleted when it is used.
create table staff_invitations (
  staff_id text primary key references staff,
  hash bytea not null unique check (length(hash) = 32),
  totp_secret bytea not null,
  expires_at timestamptz not null
);

-- Not a reference: the log outlives sessions.
alter table staff_audit add column session_id text;
alter table staff_audit drop constraint staff_audit_role_check;
alter table staff_audit add constraint staff_audit_role_check check (role in ('viewer', 'operator', 'admin', 'partner'));
-- A sign-in that failed is by nobody whom we know.
alter table staff_audit drop constraint staff_audit_check;
alter table staff_audit add constraint staff_audit_check check (staff_id is null or machine_user is null);
