-- How many attempts have taken the partition since one of them moved its cursor or handed it over: attempts that end without either
-- took their process with them. A partition that ends process after process is worked on alone, and at last set aside.
alter table partitions add column attempts integer not null default 0;
