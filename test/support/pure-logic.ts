// For the lane that answers in seconds: its tests open no socket and start no process, so that they need nothing to
// install, start or wait for. A test that does is named *.integration.test.ts and runs in the next lane.
import childProcess, { ChildProcess } from "node:child_process";
import dgram from "node:dgram";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const refuse = (what: string) => () => {
  throw new Error(`A test of pure logic may not ${what}: name its file *.integration.test.ts.`);
};

net.Socket.prototype.connect = refuse("open a connection");
net.Server.prototype.listen = refuse("listen");
dgram.Socket.prototype.bind = refuse("open a socket");
(ChildProcess.prototype as unknown as { spawn: unknown }).spawn = refuse("start a process");
for (const name of ["spawnSync", "execFileSync", "execSync"] as const)
  childProcess[name] = refuse("start a process");
syncBuiltinESMExports();
