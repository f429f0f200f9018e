// `npm run generate` writes contract/operator.openapi.json from the routes; a test fails when the file is out of date.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createToolRegistry } from "../server/src/features/tools/index.ts";
import { operatorRoutes } from "../server/src/http/operator/index.ts";
import { operatorOpenApi } from "../server/src/http/operator/openapi.ts";
import { signInRoutes, type SignInRoutesNeeds } from "../server/src/http/operator/sign-in-routes.ts";
import type { VisitorOperation } from "../server/src/http/operator/visitor.ts";
import type { OperatorOperation } from "../server/src/http/operator/operation.ts";
import { createSealer } from "../server/src/platform/seal.ts";
import { createSigner } from "../server/src/platform/sign.ts";

export const operatorOpenApiFile = join(import.meta.dirname, "../contract/operator.openapi.json");

const operatorUrl = "https://operator.portage.example";
const keys = [{ id: "none", key: randomBytes(32) }] as const;

/** Every operation; describing them needs neither a database nor tools. */
export const operatorOperations = (): readonly OperatorOperation[] =>
  operatorRoutes({
    sealer: createSealer(keys),
    signer: createSigner(keys),
    registry: createToolRegistry([]),
    publicUrl: "https://portage.example",
    operatorUrl,
    webhookAllow: [],
    signInFailuresPerMinute: 1,
    openSide: async () => ({ kind: "missing" }),
    destinationStreams: async () => [],
  }).map(({ operation }) => operation);

/** The operations that need no session; nothing of theirs is called. */
export const visitorOperations = (): readonly VisitorOperation[] =>
  signInRoutes({ operatorUrl } as SignInRoutesNeeds).map(({ operation }) => operation);

export const operatorOpenApiText = (): string =>
  `${JSON.stringify(operatorOpenApi(operatorOperations(), visitorOperations()), null, 2)}\n`;

if (import.meta.main) writeFileSync(operatorOpenApiFile, operatorOpenApiText());
