// node --import "…/plant.ts?bug=NAME": the process runs with a known bug in it. Nothing of this is in the product.
import { registerHooks } from "node:module";
import { bugs, isBugName } from "./bugs.ts";

const name = new URL(import.meta.url).searchParams.get("bug") ?? "";
if (!isBugName(name)) throw new Error(`There is no bug ${name}: ${Object.keys(bugs).join(", ")}.`);
const { files, patch } = bugs[name];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!files.some((file) => new URL(url).pathname.endsWith(`/features/${file}`))) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    const patched = patch(source);
    // A bug that is not in the code any more must not pass for one that was not detected.
    if (patched === source) throw new Error(`The bug ${name} has nothing to change in ${url}.`);
    return { ...loaded, source: patched };
  },
});
