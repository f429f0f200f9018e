import { makeSchemaTemplate } from "./migrated-postgres.ts";

/** Once, before workers start servers of their own with a copy of it. */
const setup = async (): Promise<void> => {
  await makeSchemaTemplate();
};

export default setup;
