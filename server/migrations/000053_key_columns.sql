-- By kind of record: the columns of a customer's files whose cells are the records' ids; sealed, because the customer named them. They outlast
-- the sign-in: a later file with another key would copy every record a second time.
alter table connections add column key_columns bytea;
