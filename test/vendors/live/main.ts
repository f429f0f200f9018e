// `npm run live -- TOOL…` runs the conformance suite on real accounts; the last line is JSON. docs/connectors/vendors.md says how.
import { createPlainTransport } from "@portage/connector-kit/testing";
import { liveTools } from "./live-tools.ts";
import { runLive } from "./run-live.ts";

const names = process.argv.slice(2);
const unknown = names.filter((name) => !liveTools.some(({ tool }) => tool === name));
if (unknown.length > 0) {
  console.error(
    `No description of ${unknown.join(", ")}. Known: ${liveTools.map(({ tool }) => tool).join(", ")}.`,
  );
  process.exit(2);
}
const transport = createPlainTransport();
const tools = liveTools.filter(({ tool }) => names.length === 0 || names.includes(tool));
const summary = await runLive({ tools, env: process.env, transport, print: (line) => console.log(line) });
await transport.close();
console.log(JSON.stringify(summary));
process.exitCode = summary.failed > 0 ? 1 : 0;
