import { z } from "zod";

/** Every error except a failed validation has a code for programs and a message for people. */
export const errorStatuses = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** A partner's token has no restricted rights, so the partner API never uses `forbidden`. */
const errorCodes = Object.keys(errorStatuses).filter((code) => code !== "forbidden") as [
  Exclude<ErrorCode, "forbidden">,
  ...Exclude<ErrorCode, "forbidden">[],
];

export const errorBody = z
  .object({
    error: z.object({
      code: z.enum(errorCodes).describe("Stable; decide by this."),
      message: z.string().describe("A sentence for the person who reads your log."),
      request_id: z.string().describe("Also in X-Request-Id; quote it when you write to us."),
    }),
  })
  .meta({ id: "Error", description: "Every error but a failed validation." });

export type ErrorBody = z.infer<typeof errorBody>;
