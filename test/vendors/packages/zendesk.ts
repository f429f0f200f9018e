import { createZendesk } from "../../../connectors/zendesk/index.ts";
import { originsOf } from "../zendesk/origins.ts";
import { addressesOf, atStandIn } from "./index.ts";

const bound = createZendesk(originsOf(addressesOf("zendesk")));
export const connector = { ...bound, manifest: { ...bound.manifest, name: atStandIn("zendesk") } };
