export { eraseNotices, writeNotice } from "./store.ts";
