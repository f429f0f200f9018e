import { createApp } from "./app.ts";
import { readSettings, SettingsError } from "./settings.ts";
import { openStore } from "./store/store.ts";
import { sweepFiles } from "./store/store-files.ts";

const notAFolder = "FERRY_FOLDER is not a folder: set it to one, which the desk creates if it is missing.";

/** Failures of the operating system that other settings solve. */
const systemFixes: Readonly<Record<string, string>> = {
  EADDRINUSE: "FERRY_PORT is taken by another program: set it to another port, or to 0 for any free one.",
  EACCES:
    "FERRY_FOLDER or FERRY_PORT is not permitted: set them to a folder that you may write and a port over 1023.",
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
};

const start = async () => {
  const { folder, port, notes, moving, ...needs } = readSettings(process.env);
  const store = openStore(folder);
  sweepFiles(store, Date.now());
  const app = createApp({
    ...needs,
    store,
    publicUrl: `http://127.0.0.1:${port}`,
    ...(moving && { moving }),
    logs: true,
  });
  const address = await app.listen({ host: "127.0.0.1", port });
  for (const note of notes) process.stdout.write(`${note}\n`);
  process.stdout.write(`Ferry Desk is at ${address}, the destination protocol at ${address}/portage\n`);

  const stop = async () => {
    await app.close();
    store.close();
  };
  process.once("SIGTERM", () => void stop());
  process.once("SIGINT", () => void stop());
};

try {
  await start();
} catch (error) {
  const { code = "" } = error as NodeJS.ErrnoException;
  const said = error instanceof SettingsError ? error.message : systemFixes[code];
  if (said === undefined) throw error;
  process.stderr.write(`${said}\n`);
  process.exit(2);
}
