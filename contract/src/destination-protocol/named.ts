import { z } from "zod";

/** Separate from the partner API's registry, so that neither document lists the other's schemas. */
export const protocolSchemas = z.registry<{ id: string; description?: string }>();

/** Gives a schema its name in the OpenAPI document. */
export const named = <T extends z.ZodType>(id: string, description: string, schema: T): T => {
  const described = schema.describe(description);
  protocolSchemas.add(described, { id });
  return described;
};
