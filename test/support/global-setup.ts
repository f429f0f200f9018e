import { makeSchemaTemplate } from "./migrated-postgres.ts";

/** Runs once, before workers start their own servers with a copy of it. */
const setup = async (): Promise<void> => {
  await makeSchemaTemplate();
};

export default setup;
