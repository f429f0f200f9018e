import { useSession } from "../api/queries.ts";
import { type Rights, rightsOf } from "./rights.ts";

/** What the person who is signed in may do here. */
export const useRights = (): Rights => rightsOf(useSession().person.role);
