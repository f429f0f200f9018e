import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createPostgres, type PostgresServer } from "./postgres.ts";

export interface Archive {
  /** The settings of a server that archives its WAL here. */
  readonly settings: Readonly<Record<string, string>>;
  /** Takes a base backup of the running server. */
  backUp(server: PostgresServer): Promise<void>;
  /** A server with the state at a named restore point, which accepts writes. */
  restore(point: string, settings?: Readonly<Record<string, string>>): Promise<PostgresServer>;
  remove(): void;
}

/** Backups as operators make them: a base backup, and the archived WAL since. */
export const createArchive = (): Archive => {
  const folder = mkdtempSync(join(tmpdir(), "portage-archive-"));
  const wal = join(folder, "wal");
  const base = join(folder, "base");
  mkdirSync(wal);
  const giveTo = (owner: { uid: number; gid: number }) => {
    for (const each of [folder, wal]) chownSync(each, owner.uid, owner.gid);
  };
  return {
    settings: {
      archive_mode: "on",
      archive_command: `cp %p ${wal}/%f`,
    },
    async backUp(server) {
      giveTo(statSync(server.data));
      await server.backUp(base);
    },
    async restore(point, settings = {}) {
      const server = await createPostgres(
        {
          restore_command: `cp ${wal}/%f %p`,
          recovery_target_name: point,
          recovery_target_action: "promote",
          ...settings,
        },
        { copyOf: base },
      );
      const signal = join(server.data, "recovery.signal");
      writeFileSync(signal, "");
      const { uid, gid } = statSync(server.data);
      chownSync(signal, uid, gid);
      await server.startAside();
      // It answers before it is promoted.
      const isReady = async () =>
        (await server.ask("select pg_is_in_recovery() as waits"))[0]?.["waits"] === false;
      for (let tries = 0; !(await isReady()); tries += 1) {
        if (tries > 600) throw new Error("The restored server is still in recovery.");
        await wait(100);
      }
      return server;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
