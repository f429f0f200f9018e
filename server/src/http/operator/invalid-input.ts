import type { ValidationErrors } from "@portage/contract";

/** A query or a body that does not fit: a 422 that lists every problem by name. */
export class InvalidInput extends Error {
  readonly errors: ValidationErrors;
  constructor(errors: ValidationErrors) {
    super(`Invalid: ${Object.keys(errors).join(", ")}`);
    this.errors = errors;
  }
}
