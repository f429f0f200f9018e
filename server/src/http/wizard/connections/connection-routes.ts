import type { Revoked, SignInNeeds, TrySettings } from "../../../features/connections/index.ts";
import {
  beginSignIn,
  connectSide,
  finishSignIn,
  type Side,
  signOut,
} from "../../../features/imports/index.ts";
import type { WizardRoute } from "../access/route.ts";
import { connect } from "./connect.ts";
import { disconnect } from "./disconnect.ts";
import { endSignIn } from "./end-sign-in.ts";
import { startSignInRoute } from "./start-sign-in.ts";

export interface ConnectionRoutesNeeds extends SignInNeeds {
  readonly trySettings: TrySettings;
  readonly onRevoked: (importId: string, side: Side, revoked: Revoked) => void;
}

/** The customer connects and disconnects a tool, by settings or by the vendor's sign-in. */
export const connectionRoutes = (needs: ConnectionRoutesNeeds): readonly WizardRoute[] => [
  connect({ connectSide: connectSide(needs) }),
  disconnect({ disconnectSide: signOut(needs) }),
  startSignInRoute({ beginSignIn: beginSignIn(needs) }),
  endSignIn({ finishSignIn: finishSignIn(needs) }),
];
