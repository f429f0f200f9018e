import type { Transport } from "@portage/connector-kit/http";
import { readExcerpt } from "../kit/excerpt-file.ts";
import { operationFinder } from "../kit/find-operation.ts";
import { createSpecCheck } from "../kit/spec-check.ts";
import type { LiveTool } from "./live-tools.ts";

export interface Drift {
  /** What did not fit, and in how many answers. */
  readonly problems: ReadonlyMap<string, number>;
  /** Calls that nothing describes. */
  readonly undescribed: ReadonlySet<string>;
  /** Answers that were compared. */
  readonly compared: () => number;
}

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
};

/** Passes everything through, and compares each answer of the tool's API with the vendor's description. */
export const watchDrift = (
  transport: Transport,
  { tool, amendments, basePath }: Pick<LiveTool, "tool" | "amendments" | "basePath">,
  apiOrigin: string,
): { readonly transport: Transport; readonly drift: Drift } => {
  const excerpt = readExcerpt(tool);
  const check = createSpecCheck(excerpt, amendments);
  const find = operationFinder(Object.keys(excerpt.operations), basePath);
  const problems = new Map<string, number>();
  const undescribed = new Set<string>();
  let compared = 0;
  const compare = (method: string, pathname: string, status: number, body: unknown) => {
    const operation = find(method, pathname)?.operation ?? null;
    const found = operation === null ? null : check.answerProblems(operation, status, body);
    if (found === null) {
      undescribed.add(
        operation === null ? `${method} (a path that is not described)` : `${operation} ${status}`,
      );
      return;
    }
    compared += 1;
    for (const problem of new Set(found)) {
      const line = `${operation} ${status}: ${problem}`;
      problems.set(line, (problems.get(line) ?? 0) + 1);
    }
  };
  return {
    drift: { problems, undescribed, compared: () => compared },
    transport: {
      async send(request) {
        const answer = await transport.send(request);
        const { origin, pathname } = new URL(request.url);
        const isJson = /\bjson\b/.test(answer.headers["content-type"] ?? "");
        if (origin !== apiOrigin || !isJson) return answer;
        async function* watched(): AsyncGenerator<Uint8Array> {
          const chunks: Uint8Array[] = [];
          for await (const chunk of answer.body) {
            chunks.push(chunk);
            yield chunk;
          }
          compare(request.method, pathname, answer.status, jsonOf(Buffer.concat(chunks)));
        }
        return { ...answer, body: watched() };
      },
    },
  };
};
