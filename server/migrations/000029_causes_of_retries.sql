-- What a retry is limited to: [{"stream": …, "code": …}]; null: it takes up everything that failed.
alter table runs add column causes jsonb;
