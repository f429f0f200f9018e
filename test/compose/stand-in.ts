// The stand-in in a container: `node stand-in.ts '{"counts":{"tickets":100}}'`. Others reach it at port 4100, and what
// controls it at 4101; it listens on loopback by itself.
import { connect, createServer } from "node:net";
import { startControl } from "../tools/stand-in/control.ts";
import type { StandInOptions } from "../tools/stand-in/options.ts";
import { startStandIn } from "../tools/stand-in/stand-in.ts";

const forward = (port: number, url: string): void => {
  const target = Number(new URL(url).port);
  createServer((from) => {
    const to = connect(target, "127.0.0.1");
    from.pipe(to).pipe(from);
    from.on("error", () => to.destroy());
    to.on("error", () => from.destroy());
  }).listen(port);
};

const tool = await startStandIn(JSON.parse(process.argv[2] ?? "{}") as Partial<StandInOptions>);
const control = await startControl(tool);
forward(4100, tool.url);
forward(4101, control.url);
