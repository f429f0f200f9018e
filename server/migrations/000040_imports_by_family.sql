-- The operator's list of one family: a family with few imports would otherwise be searched among all of them.
create index imports_by_family on imports (family, id desc);
