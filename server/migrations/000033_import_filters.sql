-- GET /imports without a username
create index imports_open_by_status on imports (partner_id, status, id desc) where closed is null;
create index imports_open_by_family on imports (partner_id, family, id desc) where closed is null;
