import { createFreshdesk } from "../../../connectors/freshdesk/index.ts";
import { originsOf } from "../freshdesk/origins.ts";
import { addressesOf, atStandIn } from "./index.ts";

const bound = createFreshdesk(originsOf(addressesOf("freshdesk")));
export const connector = { ...bound, manifest: { ...bound.manifest, name: atStandIn("freshdesk") } };
