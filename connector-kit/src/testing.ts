export { createPlainTransport } from "./http/plain-transport.ts";
export { keepInMemory } from "./keep-in-memory.ts";
export { createTestIo, type TestIo } from "./test-io.ts";
