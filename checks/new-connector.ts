// `npm run new:connector NAME` creates a connector and its suite from the template; the suite passes.
import { join } from "node:path";
import { scaffoldConnector } from "./scaffold-connector.ts";

const [name, ...more] = process.argv.slice(2);
if (name === undefined || more.length > 0) {
  console.error("Say the tool's name, one word joined by hyphens: npm run new:connector acme-desk");
  process.exit(2);
}
const made = scaffoldConnector(join(import.meta.dirname, ".."), name);
if (made.kind === "refused") {
  console.error(made.why);
  process.exit(1);
}
for (const file of made.files) console.log(`made  ${file}`);
console.log(`Its suite runs now: npm test -- connectors/${name}
What to do next: docs/write-a-connector.md
Before npm run check passes, once it is the tool's own:
  npm run docs:generate   its page, docs/tools/${name}.md, and its row in README.md
  npx changeset           what partners read about it`);
