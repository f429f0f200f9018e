import type { Connector, Destination, Io } from "@portage/connector-kit";
import { createKept } from "./kept-for-a-while.ts";

/** An instance's owner may switch something on or off; a run notices within this time. */
const keptMs = 60_000;

/** Asks a tool that differs from one instance to the next what this one takes, and remembers it for a while. */
export const createOffered = () => {
  const kept = createKept<Promise<Destination>>({ keptMs, most: 1_000 });
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
