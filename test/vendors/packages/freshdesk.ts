import { createFreshdesk } from "../../../connectors/freshdesk/index.ts";
import { originsOf } from "../freshdesk/origins.ts";
import { boundTo } from "./index.ts";

export const connector = boundTo("freshdesk", (at) => createFreshdesk(originsOf(at)));
