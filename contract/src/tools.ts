import { z } from "zod";
import { families } from "./families.ts";

export const familySchema = z
  .enum(families, { error: `must be one of ${families.join(", ")}` })
  .meta({ id: "Family", description: "A product family." });

export const tool = z
  .object({
    name: z.string().describe("The machine name: the value that `source_tool` takes."),
    slug: z.string().describe("The same as `name`."),
    label: z.string().describe("The name for people."),
    families: z.array(familySchema).describe("What kinds of data can be moved from it."),
  })
  .meta({
    id: "Tool",
    description: "A tool that data can be moved from.",
    examples: [{ name: "redmine", slug: "redmine", label: "Redmine", families: ["projects", "helpdesk"] }],
  });

export type Tool = z.infer<typeof tool>;
