import { parseArgs } from "node:util";
import { seedRedmine } from "./seed.ts";
import { startRedmine, stopRedmine } from "./redmine-server.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: "string" },
    port: { type: "string" },
    forget: { type: "boolean", default: false },
  },
});
const [command] = positionals;
const usage = "node test/tools/redmine/main.ts up|seed|down --folder FOLDER [--port PORT] [--forget]";

if (!values.folder || !["up", "seed", "down"].includes(command ?? "")) {
  console.error(usage);
  process.exitCode = 2;
} else if (command === "up") {
  const { url, adminLogin, adminPassword, adminKey } = await startRedmine({
    folder: values.folder,
    ...(values.port ? { port: Number(values.port) } : {}),
  });
  console.log(JSON.stringify({ url, adminLogin, adminPassword, adminKey }));
} else if (command === "seed") {
  await seedRedmine(await startRedmine({ folder: values.folder }));
} else await stopRedmine(values.folder, values.forget);
