import { startSmtpSink } from "../smtp-sink.ts";
import { startSeededZnuny } from "./seeded-znuny.ts";

// node test/tools/znuny/main.ts [port]: a seeded one that runs until it is stopped; prints one JSON line when it is ready.
const sink = await startSmtpSink();
const [port] = process.argv.slice(2);
const { znuny } = await startSeededZnuny({ smtpPort: sink.port, ...(port ? { port: Number(port) } : {}) });
const { url, username, password, webService, admin, timeZone } = znuny;
console.log(JSON.stringify({ url, username, password, webService, admin, timeZone, pid: process.pid }));
// This process counts its mail, so Znuny needs it.
const alive = setInterval(() => {}, 60_000);
const end = async () => {
  clearInterval(alive);
  await znuny.stop();
  await sink.close();
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
