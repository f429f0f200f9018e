import { createOldDesk } from "./app.ts";
import { countsOf, seededStore } from "./data/seed.ts";

const port = Number(process.env["ATTIC_PORT"] || 4500);
const store = seededStore();
const app = createOldDesk({ store, key: process.env["ATTIC_KEY"] || "attic-demo-key" });
const address = await app.listen({ host: "127.0.0.1", port });
const counts = Object.entries(countsOf(store)).map(([name, count]) => `${count} ${name}`);
process.stdout.write(`Attic Desk is at ${address}: ${counts.join(", ")}\n`);

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void app.close());
