// The processes of a worker without its work: `node test/support/light-worker.ts`. Each answers at WORKER_PORT with its id.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createHealthServer } from "../../server/src/main/health-server.ts";
import { reportAndExit } from "../../server/src/main/report-and-exit.ts";
import {
  announce,
  drainAtEnd,
  healthHost,
  startWorkerProcesses,
} from "../../server/src/main/worker-processes.ts";

const startOne = async () => {
  if (process.env["FAIL"]) throw new Error("It can't start.");
  const server = createServer((_, response) =>
    response.writeHead(200, { connection: "close" }).end(String(process.pid)),
  );
  server.listen(Number(process.env["WORKER_PORT"]), "127.0.0.1");
  const health = createHealthServer(async () => null);
  drainAtEnd(10_000, async () => {
    process.stdout.write(`draining ${process.pid}\n`);
    await sleep(500);
    process.stdout.write(`drained ${process.pid}\n`);
  });
  const healthPort = await health.listen(healthHost("127.0.0.1"), Number(process.env["WORKER_HEALTH_PORT"]));
  announce({ healthPort });
};

await startWorkerProcesses(startOne).catch(reportAndExit);
