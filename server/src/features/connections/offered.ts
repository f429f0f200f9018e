import type { Connector, Destination, Io } from "@portage/connector-kit";
import { LRUCache } from "lru-cache";

/** The owner of an instance may change what it takes; a run notices within this TTL. */
const ttlMs = 60_000;

/** Asks a tool that differs between instances what this one takes, and caches the answer. */
export const createOffered = () => {
  const kept = new LRUCache<string, Promise<Destination>>({ max: 1_000, ttl: ttlMs });
  return (key: string, connector: Connector, io: () => Io): Promise<Destination> => {
    const { destination = {} } = connector;
    if (!connector.offers) return Promise.resolve(destination);
    const known = kept.get(key);
    if (known) return known;
    const offer = connector.offers(io());
    kept.set(key, offer);
    offer.catch(() => {
      if (kept.get(key) === offer) kept.delete(key);
    });
    return offer;
  };
};
