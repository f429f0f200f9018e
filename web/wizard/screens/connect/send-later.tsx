import type { WizardSide } from "@portage/contract/wizard";
import { lazy, Suspense } from "react";

const SendToAdmin = lazy(async () => ({ default: (await import("./send-to-admin.tsx")).SendToAdmin }));

/** Loaded on demand: most customers connect a tool themselves. */
export const SendLater = (props: { side: WizardSide; onClose: () => void }) => (
  <Suspense>
    <SendToAdmin {...props} />
  </Suspense>
);
