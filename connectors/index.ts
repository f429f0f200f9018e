export { redmine } from "./redmine/index.ts";
export { requestTracker } from "./request-tracker/index.ts";
