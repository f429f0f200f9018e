import formats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { type Amendment, amendExcerpt } from "./amend-excerpt.ts";
import type { OperationShape, Shape, SpecExcerpt } from "./spec-excerpt.ts";

/** A request, taken apart; values of `path`, `query` and forms are converted to the described types in place. */
export interface RequestParts {
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly mediaType?: string | undefined;
  readonly body?: unknown;
}

export interface SpecCheck {
  /** The first thing that the vendor's description does not allow; null: the request fits. */
  request(operation: string, parts: RequestParts): string | null;
  /**
   * What does not fit the description of an answer, by place in it and without values of the account; null: nothing describes
   * it.
   */
  answerProblems(operation: string, status: number, body: unknown): readonly string[] | null;
  /** Throws when the stand-in answers something that the vendor would not. */
  answer(operation: string, status: number, body: unknown): void;
  /** The same for an object that is no answer, such as an event. */
  object(name: string, value: unknown): void;
  /** How often a request or an answer had no schema to hold it to. */
  readonly unvalidated: ReadonlyMap<string, number>;
  /** How many were held to a schema. */
  readonly held: { readonly requests: number; readonly answers: number };
}

/** A field that the vendor does not document is a mistake: of the stand-in in an answer, of its caller in a request. */
const close = (shape: unknown): unknown => {
  if (Array.isArray(shape)) return shape.map(close);
  if (typeof shape !== "object" || shape === null) return shape;
  const closed = Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, close(part)]));
  const { properties, additionalProperties } = shape as Shape;
  return properties && typeof properties === "object" && additionalProperties === undefined
    ? { ...closed, additionalProperties: false }
    : closed;
};

const explain = ([error]: readonly ErrorObject[]): string => {
  const { additionalProperty: extra } = (error?.params ?? {}) as { additionalProperty?: string };
  return extra === undefined
    ? `Invalid request: ${error?.instancePath} ${error?.message}`
    : `Received unknown parameter: ${extra}`;
};

/** One line for an error, the same for all rows of a list. */
const problem = ({ instancePath, message, params }: ErrorObject): string => {
  const { additionalProperty: extra } = params as { additionalProperty?: string };
  const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return extra === undefined ? `${place || "/"} ${message}` : `${place}/${extra} is not described`;
};

/** HTTP compares the names of headers without case, and Node has them in lower case. */
const lowerCase = (shape: Shape): Shape => {
  const required = (shape["required"] as readonly string[] | undefined) ?? [];
  const properties = Object.entries(shape.properties ?? {}).map(([name, part]) => [name.toLowerCase(), part]);
  return {
    ...shape,
    properties: Object.fromEntries(properties) as Record<string, Shape>,
    required: required.map((name) => name.toLowerCase()),
  };
};

const newAjv = (options: object, schemas: SpecExcerpt["schemas"]) => {
  const ajv = new Ajv2020({ strict: false, logger: false, ...options });
  // An e-mail address is left out: vendors take many that the pattern does not.
  formats.default(ajv, ["date-time", "date", "uri"]);
  ajv.addSchema({ $id: "vendor", $defs: close(schemas) as object });
  return ajv;
};

/**
 * Holds requests and answers to a vendor's description and the marked amendments to it. Returns how to make a check: all of
 * them share what is compiled, each counts for itself.
 */
export const compileSpec = (given: SpecExcerpt, amendments: readonly Amendment[]): (() => SpecCheck) => {
  const excerpt = amendExcerpt(given, amendments);
  const typed = newAjv({}, excerpt.schemas);
  const texts = newAjv({ coerceTypes: true }, excerpt.schemas);
  const answers = newAjv({ allErrors: true }, excerpt.schemas);
  const compiled = new Map<string, ValidateFunction>();
  const validator = (ajv: Ajv2020, name: string, shape: Shape) => {
    const found = compiled.get(name) ?? ajv.compile(close(shape) as object);
    compiled.set(name, found);
    return found;
  };
  return () => newCheck(excerpt, { typed, texts, answers, validator });
};

export const createSpecCheck = (excerpt: SpecExcerpt, amendments: readonly Amendment[] = []): SpecCheck =>
  compileSpec(excerpt, amendments)();

interface Compiled {
  readonly typed: Ajv2020;
  readonly texts: Ajv2020;
  readonly answers: Ajv2020;
  readonly validator: (ajv: Ajv2020, name: string, shape: Shape) => ValidateFunction;
}

const newCheck = (excerpt: SpecExcerpt, { typed, texts, answers, validator }: Compiled): SpecCheck => {
  const unvalidated = new Map<string, number>();
  const countUnvalidated = (what: string) => unvalidated.set(what, (unvalidated.get(what) ?? 0) + 1);
  const held = { requests: 0, answers: 0 };
  const countHeld = (found: string | null) => {
    held.requests += 1;
    return found;
  };

  const bodyProblem = (operation: string, { bodies }: OperationShape, { mediaType, body }: RequestParts) => {
    if (body === undefined && Object.keys(bodies).length === 0) return countHeld(null);
    const type = body === undefined ? (Object.keys(bodies)[0] ?? "") : (mediaType ?? "");
    const shape = bodies[type] ?? (type === "multipart/form-data" ? bodies["application/json"] : undefined);
    if (!shape) {
      countUnvalidated(`${operation} request`);
      return null;
    }
    const ajv = type === "application/json" ? typed : texts;
    const validate = validator(ajv, `${operation} ${type}`, shape);
    return countHeld(validate(body ?? {}) ? null : explain(validate.errors ?? []));
  };

  const answerErrors = (operation: string, status: number, body: unknown): readonly ErrorObject[] | null => {
    const described = excerpt.operations[operation]?.answers ?? {};
    const shape = described[String(status) in described ? String(status) : "default"];
    if (shape === undefined || (shape === null && body !== undefined)) {
      countUnvalidated(`${operation} ${status}`);
      return null;
    }
    held.answers += 1;
    if (shape === null) return [];
    const validate = validator(answers, `${operation} ${status}`, shape);
    return validate(body) ? [] : (validate.errors ?? []);
  };

  return {
    unvalidated,
    held,
    request: (operation, parts) => {
      const shapes = excerpt.operations[operation];
      if (!shapes) {
        countUnvalidated(`${operation} request`);
        return null;
      }
      for (const [place, values] of [
        ["path", parts.path],
        ["query", parts.query],
      ] as const) {
        const validate = validator(texts, `${operation} ${place}`, shapes[place]);
        if (!validate(values ?? {})) return countHeld(explain(validate.errors ?? []));
      }
      // Clients send many headers of their own: only the described ones are held to their types.
      const headers = validator(texts, `${operation} header`, {
        ...lowerCase(shapes.header),
        additionalProperties: true,
      });
      if (!headers({ ...parts.headers })) return countHeld(explain(headers.errors ?? []));
      return bodyProblem(operation, shapes, parts);
    },
    answerProblems: (operation, status, body) => answerErrors(operation, status, body)?.map(problem) ?? null,
    answer: (operation, status, body) => {
      const errors = answerErrors(operation, status, body) ?? [];
      if (errors.length > 0)
        throw new Error(`Not an answer ${status} of ${operation}: ${JSON.stringify(errors.slice(0, 5))}`);
    },
    object: (name, value) => {
      const shape = excerpt.schemas[name];
      if (!shape) throw new Error(`The vendor's file does not know ${name}.`);
      const validate = validator(answers, name, shape);
      if (!validate(value))
        throw new Error(`Not a ${name} of the vendor: ${JSON.stringify(validate.errors)}`);
    },
  };
};
