import { createIntercom } from "../../../connectors/intercom/index.ts";
import { originsOf } from "../intercom/origins.ts";
import { boundTo } from "./index.ts";

export const connector = boundTo("intercom", (at) => createIntercom(originsOf(at)));
