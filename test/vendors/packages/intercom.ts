import { createIntercom } from "../../../connectors/intercom/index.ts";
import { originsOf } from "../intercom/origins.ts";
import { addressesOf, atStandIn } from "./index.ts";

const bound = createIntercom(originsOf(addressesOf("intercom")));
export const connector = { ...bound, manifest: { ...bound.manifest, name: atStandIn("intercom") } };
