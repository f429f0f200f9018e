import type { ProgramNeeds } from "../commands/operator.ts";
import { checkDatabase } from "./database.ts";
import type { DoctorFinding } from "./finding.ts";
import { checkConfiguration, checkKeyRing, checkNode, checkPublicUrl } from "./local.ts";
import { checkApi, checkRestateAdmin, checkRestateIngress } from "./services.ts";
import { checkIdentity, checkWorker } from "./worker.ts";

/** Checks every part even if another is broken, so that the operator sees all problems at once. */
export const examine = async (
  needs: Pick<ProgramNeeds, "env" | "fetch">,
): Promise<readonly DoctorFinding[]> => {
  const env = needs.env();
  const asked = await Promise.all([
    checkDatabase(env),
    checkRestateIngress(needs.fetch, env),
    checkRestateAdmin(needs.fetch, env),
    checkWorker(needs.fetch, env),
    checkApi(needs.fetch, env),
  ]);
  return [
    checkNode(process.versions.node),
    ...checkConfiguration(env),
    ...checkKeyRing(env),
    ...checkPublicUrl(env),
    ...checkIdentity(env),
    ...asked.flat(),
  ];
};
