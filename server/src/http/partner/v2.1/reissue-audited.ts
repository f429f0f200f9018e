import { findImport, lockImport, reissueLink } from "../../../features/imports/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import type { Secret } from "../../../platform/secret.ts";
import { auditedChange } from "../audited-change.ts";
import type { Call } from "../operation.ts";

/** Makes a new link of an import, with its entry in the audit log. Undefined: no open import of this partner. */
export const reissueAudited =
  (db: Database, sealer: Sealer) =>
  async (call: Call): Promise<Secret | undefined> => {
    const { partner, importId: id } = call;
    const find = (on: Database) => findImport(on, sealer, partner.id, id);
    // Nobody makes another partner's import wait for a lock.
    if (!(await find(db))) return undefined;
    return auditedChange(db, call, "reissueLink", async (within) => {
      await within.sql.transaction().execute((tx) => lockImport(tx, id));
      const before = await find(within);
      const result = before && (await reissueLink(within, sealer, id));
      const after = result && (await find(within));
      if (!after) return { result: undefined };
      return {
        result,
        entry: {
          target: { kind: "import", id },
          before: { link_mark: before.linkMark },
          after: { link_mark: after.linkMark },
        },
      };
    });
  };
