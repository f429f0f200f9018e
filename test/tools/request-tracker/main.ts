import { startSmtpSink } from "../smtp-sink.ts";
import { startRequestTracker } from "./request-tracker.ts";

// node test/tools/request-tracker/main.ts [port]: runs until it is stopped; prints one JSON line when it is ready.
const sink = await startSmtpSink();
const [port] = process.argv.slice(2);
const tool = await startRequestTracker({ smtpPort: sink.port, ...(port ? { port: Number(port) } : {}) });
const { url, token, username, password } = tool;
console.log(JSON.stringify({ url, token, username, password, pid: process.pid }));
const end = async () => {
  await tool.stop();
  await sink.close();
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
// This process counts its mail, so Request Tracker needs it.
const alive = setInterval(() => {}, 60_000);
process.once("SIGTERM", () => clearInterval(alive));
process.once("SIGINT", () => clearInterval(alive));
