export { createPlainTransport } from "./http/plain-transport.ts";
export { createTestIo, type TestIo } from "./test-io.ts";
