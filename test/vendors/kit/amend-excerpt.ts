import type { Claim } from "./laws.ts";
import type { OperationShape, Shape, SpecExcerpt } from "./spec-excerpt.ts";

type Places = "path" | "query" | "header";

/** A fact that the vendor's file leaves out or has wrong, with where it comes from. */
export type Amendment = Claim &
  (
    | {
        /** Parameters that these operations take as well, or that are not required after all. */
        readonly operations: readonly string[];
        readonly place: Places;
        readonly properties?: Readonly<Record<string, Shape>>;
        readonly optional?: readonly string[];
      }
    | {
        /** Properties that a schema has as well, or that are not required after all. */
        readonly schema: string;
        readonly properties?: Readonly<Record<string, Shape>>;
        readonly optional?: readonly string[];
      }
    | { readonly operations: readonly string[]; readonly body: Shape; readonly mediaType?: string }
    | {
        readonly operations: readonly string[];
        readonly status: number;
        readonly properties: Readonly<Record<string, Shape>>;
      }
    | { readonly operations: readonly string[]; readonly status: number; readonly answer: Shape | null }
  );

const extend = (
  shape: Shape,
  properties: Readonly<Record<string, Shape>>,
  optional: readonly string[],
): Shape => {
  const required = ((shape["required"] as readonly string[] | undefined) ?? []).filter(
    (name) => !optional.includes(name),
  );
  return { ...shape, properties: { ...shape.properties, ...properties }, required };
};

const amendOperation = (
  operation: OperationShape,
  amendment: Amendment,
  find: (shape: Shape) => Shape,
): OperationShape => {
  if ("place" in amendment) {
    const { place, properties = {}, optional = [] } = amendment;
    return { ...operation, [place]: extend(operation[place], properties, optional) };
  }
  if ("body" in amendment) {
    const { body, mediaType = "application/json" } = amendment;
    return { ...operation, bodies: { ...operation.bodies, [mediaType]: body } };
  }
  if ("schema" in amendment) return operation;
  const { status } = amendment;
  const answer =
    "answer" in amendment
      ? amendment.answer
      : extend(find(operation.answers[String(status)] ?? { type: "object" }), amendment.properties, []);
  return { ...operation, answers: { ...operation.answers, [status]: answer } };
};

/** The excerpt with all amendments, in order. Throws for one that amends nothing. */
export const amendExcerpt = (excerpt: SpecExcerpt, amendments: readonly Amendment[]): SpecExcerpt => {
  const operations: Record<string, OperationShape> = { ...excerpt.operations };
  const schemas: Record<string, Shape> = { ...excerpt.schemas };
  const find = (shape: Shape): Shape => {
    const reference = shape["$ref"];
    return typeof reference === "string"
      ? (schemas[reference.slice(reference.lastIndexOf("/") + 1)] ?? {})
      : shape;
  };
  for (const amendment of amendments) {
    if ("schema" in amendment) {
      const known = schemas[amendment.schema];
      if (!known) throw new Error(`The excerpt has no schema ${amendment.schema}.`);
      schemas[amendment.schema] = extend(known, amendment.properties ?? {}, amendment.optional ?? []);
      continue;
    }
    for (const name of amendment.operations) {
      const operation = operations[name];
      if (!operation) throw new Error(`The excerpt has no operation ${name}.`);
      operations[name] = amendOperation(operation, amendment, find);
    }
  }
  return { ...excerpt, operations, schemas };
};
