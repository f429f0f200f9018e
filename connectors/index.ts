export { createCsv, type FileStore } from "./csv/index.ts";
export { destinationProtocol } from "./destination-protocol/index.ts";
export { freshdesk } from "./freshdesk/index.ts";
export { intercom } from "./intercom/index.ts";
export { redmine } from "./redmine/index.ts";
export { requestTracker } from "./request-tracker/index.ts";
export { createZendesk, zendesk } from "./zendesk/index.ts";
export { znuny } from "./znuny/index.ts";
