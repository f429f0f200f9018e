import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Shape, SpecExcerpt } from "./spec-excerpt.ts";

export const specExcerpt = (): SpecExcerpt =>
  JSON.parse(readFileSync(join(import.meta.dirname, "excerpt.openapi.json"), "utf8")) as SpecExcerpt;

export interface SpecCheck {
  /** Converts form values to the types of the vendor's description; returns the first unknown parameter. */
  request(operation: string, fields: object): string | null;
  /** Throws when the double answers something that the vendor would not. */
  answer(object: string, value: object): void;
}

/** A field that the vendor does not document is a mistake of the double. */
const closed = (shape: Shape): Shape =>
  shape.properties && shape["additionalProperties"] === undefined
    ? { ...shape, additionalProperties: false }
    : shape;

export const createSpecCheck = (excerpt: SpecExcerpt = specExcerpt()): SpecCheck => {
  const requests = new Ajv2020({ strict: false, coerceTypes: true });
  const answers = new Ajv2020({ strict: false, allErrors: true });
  const compiled = new Map<string, ValidateFunction>();
  const validator = (ajv: Ajv2020, name: string, shape: Shape | undefined) => {
    if (!shape) throw new Error(`The vendor's file does not know ${name}.`);
    const found = compiled.get(name) ?? ajv.compile(shape);
    compiled.set(name, found);
    return found;
  };
  return {
    request: (operation, fields) => {
      const validate = validator(requests, operation, excerpt.requests[operation]);
      if (validate(fields)) return null;
      const [error] = validate.errors ?? [];
      const extra = (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
      return extra === undefined
        ? `Invalid request: ${error?.instancePath} ${error?.message}`
        : `Received unknown parameter: ${extra}`;
    },
    answer: (object, value) => {
      const shape = excerpt.objects[object];
      const validate = validator(answers, object, shape && closed(shape));
      if (!validate(value))
        throw new Error(`Not a ${object} of the vendor: ${JSON.stringify(validate.errors)}`);
    },
  };
};
