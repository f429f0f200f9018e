import { z } from "zod";

const predicates = z.array(z.string());

/** The body of a 422: the errors by property. `base` concerns the request as a whole. */
export const validationErrors = z.record(z.string(), predicates).meta({
  id: "ValidationErrors",
  description: "What is wrong, by property. Values are predicates; `base` holds sentences.",
});

export type ValidationErrors = z.infer<typeof validationErrors>;

/** The keys that a 422 of `POST /imports` always has, even without errors. */
export const newImportErrorKeys = [
  "source_tool",
  "destination_instance_url",
  "destination_username",
  "destination_token",
  "start_full",
  "family",
  "destination",
] as const;

export const newImportErrors = z
  .object({
    ...(Object.fromEntries(newImportErrorKeys.map((key) => [key, predicates])) as Record<
      (typeof newImportErrorKeys)[number],
      typeof predicates
    >),
    reference: predicates.optional(),
    base: predicates.optional(),
  })
  .catchall(predicates)
  .meta({
    id: "NewImportErrors",
    description:
      "What is wrong, by property; an empty array means fine. `destination` and `base` hold whole sentences.",
  });

export type NewImportErrors = z.infer<typeof newImportErrors>;

/** Turns zod's issues into the wire format; messages in our schemas are already predicates. */
export const errorsByProperty = (error: z.ZodError): ValidationErrors => {
  const found: [string, string[]][] = [];
  for (const issue of error.issues) {
    const property = String(issue.path[0] ?? "base");
    const known = found.find(([name]) => name === property);
    if (!known) found.push([property, [issue.message]]);
    else if (!known[1].includes(issue.message)) known[1].push(issue.message);
  }
  return Object.fromEntries(found);
};
