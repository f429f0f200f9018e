import type { ProgramNeeds } from "../commands/operator.ts";
import { configNames } from "../config.ts";
import { readKeySource } from "../keys/key-source.ts";
import { checkDatabase } from "./database.ts";
import { type DoctorFinding, problem } from "./finding.ts";
import { checkConfiguration, checkKeyRing, checkNode, checkPublicUrl } from "./local.ts";
import { checkApi, checkRestateAdmin, checkRestateIngress } from "./services.ts";
import { checkIdentity, checkWorker } from "./worker.ts";

/** So that no later check reads a broken source again. */
const withoutSource = { PORTAGE_KEYS: "", PORTAGE_KEYS_FILE: "", PORTAGE_KEYS_COMMAND: "" };

/** Checks every part even if another is broken, so that the operator sees all problems at once. */
export const examine = async (
  needs: Pick<ProgramNeeds, "env" | "fetch">,
): Promise<readonly DoctorFinding[]> => {
  const source = readKeySource(needs.env());
  const env = source.kind === "read" ? source.env : { ...needs.env(), ...withoutSource };
  const asked = await Promise.all([
    checkDatabase(env),
    checkRestateIngress(needs.fetch, env),
    checkRestateAdmin(needs.fetch, env),
    checkWorker(needs.fetch, env),
    checkApi(needs.fetch, env),
  ]);
  return [
    checkNode(process.versions.node),
    ...(source.kind === "problem"
      ? [
          ...checkConfiguration(
            env,
            configNames.filter((name) => name !== "PORTAGE_KEYS"),
          ),
          problem("key ring", source.message, "docs/operators/keys.md says where keys may come from."),
        ]
      : [...checkConfiguration(env), ...checkKeyRing(env, source.kind === "read" ? source.from : "nowhere")]),
    ...checkPublicUrl(env),
    ...checkIdentity(env),
    ...asked.flat(),
  ];
};
