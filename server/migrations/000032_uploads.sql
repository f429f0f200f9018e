-- Files that a customer uploads where the old tool has no API. Their content is sealed with a data key of their own, which
-- the operator's keys seal: rotation re-seals that key alone.
create table uploads (
  id text primary key,
  import_id text not null references imports,
  -- empty once erased: the content can't be opened any more
  data_key bytea not null,
  -- the file's name, sealed
  name bytea not null,
  size bigint not null check (size > 0),
  -- bytes that are stored, in order and without gaps
  received bigint not null default 0 check (received >= 0 and received <= size),
  -- as the browser told it, in milliseconds: recognizes the same file when an upload is resumed
  modified_at bigint,
  -- where the sealed bytes are
  store text not null check (store in ('postgres', 's3')),
  created_at timestamptz not null default now(),
  active_at timestamptz not null default now(),
  -- the row stays until the sealed bytes are deleted
  erased_at timestamptz
);
create index uploads_by_import on uploads (import_id, id);
create index uploads_erased on uploads (erased_at) where erased_at is not null;
create index uploads_unfinished on uploads (active_at) where received < size and erased_at is null;

-- The blob that holds each piece: the one whose bytes were counted as received.
create table upload_pieces (
  upload_id text not null references uploads on delete cascade,
  piece integer not null,
  blob text not null,
  primary key (upload_id, piece)
);

-- The sealed bytes, unless they are in S3. Blobs that no piece names are leftovers of an interrupted request.
create table upload_blobs (
  upload_id text not null,
  blob text not null,
  sealed bytea not null,
  primary key (upload_id, blob)
);
-- sealed bytes don't compress
alter table upload_blobs alter column sealed set storage external;
