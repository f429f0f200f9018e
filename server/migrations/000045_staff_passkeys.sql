-- Passkeys that people of the staff sign in to the console with.
create table staff_passkeys (
  -- the credential's, in base64url
  id text primary key,
  staff_id text not null references staff,
  public_key bytea not null,
  -- of signatures, as far as the authenticator counts them
  counter bigint not null,
  -- when the newest challenge that it answered was made, in milliseconds: none is answered twice
  challenge_ms bigint not null default 0
);
create index staff_passkeys_by_staff on staff_passkeys (staff_id);
