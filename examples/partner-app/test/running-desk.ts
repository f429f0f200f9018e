import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppNeeds, createApp } from "../src/app.ts";
import { openStore, type Store } from "../src/store/store.ts";

export const secret = `whsec_${Buffer.from("ferry-desk-secret-of-32-bytes-!!").toString("base64")}`;

export interface RunningDesk {
  /** The base URL of the protocol. */
  readonly url: string;
  readonly pages: string;
  readonly store: Store;
  close(): Promise<void>;
}

/** Starts a desk with its own empty store. */
export const startDesk = async (needs: Partial<AppNeeds> = {}, port = 0): Promise<RunningDesk> => {
  const folder = mkdtempSync(join(tmpdir(), "ferry-desk-"));
  const store = openStore(folder);
  const app = createApp({
    store,
    secret,
    publicUrl: "http://127.0.0.1:4600",
    accountName: "Acme Support",
    ...needs,
  });
  const pages = await app.listen({ host: "127.0.0.1", port });
  return {
    url: `${pages}/portage`,
    pages,
    store,
    async close() {
      await app.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
