-- What a request with an idempotency key was, sealed like any other value: a repetition is known after its first key is gone.
-- `fingerprint` stays for the release before, which knows a request by a key of the ring.
alter table idempotency_keys add column sealed_request bytea;
alter table simulations add column sealed_request bytea;
