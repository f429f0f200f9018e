// `npm run prove:restore`: backups are restored to earlier moments of an import, while the destination keeps what it got since.
// The last one loses a whole run. Nothing is lost or duplicated. --scale 0.1, --faults 2: the number of restores,
// --plant skip-look-first: the workers run with a known bug, and the proof must find duplicates.
import { createArchive } from "../support/point-in-time.ts";
import { proveLosses } from "./lost-commits/prove-losses.ts";

/** The archive of the server that runs now. */
let archive = createArchive();
const archives = [archive];
process.on("exit", () => archives.forEach((each) => each.remove()));
const point = "before_the_loss";

await proveLosses({
  name: "restore",
  rounds: 5,
  settings: archive.settings,
  losesRun: true,
  prepare: async (server) => {
    await archive.backUp(server);
    return {
      begin: async () => void (await server.ask(`select pg_create_restore_point('${point}')`)),
      end: async () => {
        server.stop("fast");
        const next = createArchive();
        archives.push(next);
        const restored = await archive.restore(point, next.settings);
        archive = next;
        return restored;
      },
    };
  },
});
