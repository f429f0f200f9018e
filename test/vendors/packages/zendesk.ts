import { createZendesk } from "../../../connectors/zendesk/index.ts";
import { originsOf } from "../zendesk/origins.ts";
import { boundTo } from "./index.ts";

export const connector = boundTo("zendesk", (at) => createZendesk(originsOf(at)));
