-- An OAuth client belongs to the origins at which the operator registered it, and its secret is sent to these only.
create table oauth_clients (
  tool text not null,
  origin text not null,
  client_id text not null,
  client_secret bytea not null,
  updated_at timestamptz not null default now(),
  primary key (tool, origin)
);

-- A client without an origin could be sent to any host, so the operator registers it again. A later release drops these
-- columns, which the release before still reads.
update tool_settings set oauth_client_id = null, oauth_client_secret = null where oauth_client_id is not null;
