-- The W3C trace context of the request that caused an effect: its run belongs to the same trace.
alter table outbox add column trace text;
