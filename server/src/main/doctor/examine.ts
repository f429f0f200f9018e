import type { ProgramNeeds } from "../commands/operator.ts";
import { checkDatabase } from "./database.ts";
import type { Finding } from "./finding.ts";
import { checkConfiguration, checkKeyRing, checkNode, checkPublicUrl } from "./local.ts";
import { checkApi, checkRestateAdmin, checkRestateIngress } from "./services.ts";
import { checkIdentity, checkWorker } from "./worker.ts";

/** Looks at every part, also when another is broken: an operator wants the whole list at once. */
export const examine = async (needs: Pick<ProgramNeeds, "env" | "fetch">): Promise<readonly Finding[]> => {
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
