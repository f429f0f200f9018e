import type { Log } from "../platform/log.ts";
import type { Admin } from "./admin.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  readonly admin: Admin;
  /** The address of this release for Restate; another release has another address. */
  readonly uri: string;
  readonly log: Log;
  readonly everyMs?: number;
  /** How many consecutive silent checks make another release count as gone. */
  readonly silentLooks?: number;
}

export interface Registration extends Loop {
  /** Whether this release was registered at the last check. */
  isRegistered(): boolean;
}

/**
 * Makes this release the current one once, when the worker starts; afterwards it only keeps the release registered,
 * because Restate may lose its data. It removes releases that are gone and have no unfinished invocations.
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
    // Registered earlier and replaced by another release since: this is a rollback.
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
      log.info({ deployment: id, uri: other }, "removed a release that is gone from Restate");
    }
  };

  const keepKnown = async () => {
    if (!wasCurrent) await becomeCurrent();
    const known = await admin.list();
    if (!known.some((deployment) => deployment.uri === uri)) await becomeCurrent();
    return known.filter((deployment) => deployment.uri !== uri);
  };

  const iterate = async () => {
    const others = await keepKnown().catch((error: unknown) => {
      registered = false;
      throw error;
    });
    registered = true;
    await removeGone(others);
    return everyMs;
  };

  return { ...startLoop({ name: "registration", log, iterate }), isRegistered: () => registered };
};
