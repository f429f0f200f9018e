-- What the operator decides about a tool. A tool without a row is enabled and has no OAuth client.
create table tool_settings (
  tool text primary key,
  enabled boolean not null default true,
  oauth_client_id text,
  oauth_client_secret bytea,
  updated_at timestamptz not null default now(),
  check ((oauth_client_id is null) = (oauth_client_secret is null))
);
