import type { Log } from "../platform/log.ts";
import type { Admin } from "./admin.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  readonly admin: Admin;
  /** Where Restate finds this release: other code has another address. */
  readonly uri: string;
  readonly log: Log;
  readonly everyMs?: number;
  /** How often in a row another release must have been silent before it counts as gone. */
  readonly silentLooks?: number;
}

export interface Registration extends Loop {
  /** Whether Restate knew this release when it was last asked. */
  isRegistered(): boolean;
}

/**
 * Makes this release the one that gets new chunks, once, when the worker starts; then only keeps it known, because
 * Restate may have lost its data. Releases that are gone and have nothing left to do are taken off its list.
 */
export const startRegistration = ({
  admin,
  uri,
  log,
  everyMs = 5_000,
  silentLooks = 3,
}: Needs): Registration => {
  const silences = new Map<string, number>();
  let registered = false;
  let wasCurrent = false;

  const becomeCurrent = async () => {
    const { id } = await admin.register(uri);
    // Known from before another release took its place: this one was rolled back to.
    if ((await admin.current())?.id !== id) await admin.register(uri, { force: true });
    wasCurrent = true;
    log.info({ deployment: id, uri }, "registered with Restate");
  };

  const removeGone = async (others: readonly { readonly id: string; readonly uri: string }[]) => {
    for (const { id, uri: other } of others) {
      const { kind } = await admin.reach(other);
      const silent = kind === "silent" ? (silences.get(id) ?? 0) + 1 : 0;
      silences.set(id, silent);
      if (silent < silentLooks || (await admin.unfinished(id)) > 0) continue;
      await admin.remove(id);
      silences.delete(id);
      log.info({ deployment: id, uri: other }, "a release that is gone was removed from Restate");
    }
  };

  const keepKnown = async () => {
    if (!wasCurrent) await becomeCurrent();
    const known = await admin.list();
    if (!known.some((deployment) => deployment.uri === uri)) await becomeCurrent();
    return known.filter((deployment) => deployment.uri !== uri);
  };

  const turn = async () => {
    const others = await keepKnown().catch((error: unknown) => {
      registered = false;
      throw error;
    });
    registered = true;
    await removeGone(others);
    return everyMs;
  };

  return { ...startLoop({ name: "registration", log, turn }), isRegistered: () => registered };
};
