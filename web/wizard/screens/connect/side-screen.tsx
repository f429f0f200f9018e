import type { WizardSide } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { importQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { useGo } from "../../app/navigation.tsx";
import { nextScreen } from "../../app/next-screen.ts";
import { ConnectedDestination } from "../destination/connected-destination.tsx";
import { Checking } from "./checking.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { ConnectedSource } from "./connected-source.tsx";
import { Expired } from "./expired.tsx";
import { useFileAnswers } from "./files/use-file-answers.ts";
import { useConnecting } from "./use-connecting.ts";
import { useForm } from "./use-form.ts";

const FilesForm = lazy(async () => ({ default: (await import("./files/files-form.tsx")).FilesForm }));

const lookEveryMs = 5_000;

/** Polls the import: an admin with a link may connect this side meanwhile. */
const useLookOut = (connected: boolean) => {
  useQuery({ ...importQuery(useClient()), refetchInterval: connected ? false : lookEveryMs });
};

/** After this sign-in the waiting run resumes, and the page goes on to it. */
const useGoOn = (waits: boolean, connected: boolean) => {
  const go = useGo();
  const found = useImport();
  const waited = useRef(waits);
  useEffect(() => {
    if (waits) waited.current = true;
    if (!waited.current || !connected || found.may !== "everything") return;
    waited.current = false;
    go(nextScreen(found), { replace: true });
  }, [waits, connected, found, go]);
};

/** Connects one of the two tools, from the form to the records found. */
export const SideScreen = ({ side }: { side: WizardSide }) => {
  const { sides, run } = useImport();
  const state = sides[side];
  const connecting = useConnecting(side);
  const { phase } = connecting;
  const form = useForm(side, phase);
  const answers = useFileAnswers();
  const [other, setOther] = useState(false);
  const isExpired = state.state === "expired";
  useLookOut(state.connected);
  useGoOn(isExpired && run?.state === "waiting", state.connected);
  if (other && phase.kind === "connected") setOther(false);
  if (phase.kind === "checking" || phase.kind === "connected")
    return <Checking side={side} connecting={connecting} />;
  if (isExpired && state.signIn !== "none")
    return <Expired side={side} connecting={connecting} form={form} />;
  const takesFiles = state.signIn === "none";
  const showsForm = !state.connected || other || phase.kind === "failed" || phase.kind === "leaving";
  if (showsForm && takesFiles)
    return (
      <Suspense>
        <FilesForm connecting={connecting} answers={answers} />
      </Suspense>
    );
  if (showsForm) return <ConnectForm side={side} connecting={connecting} form={form} />;
  return side === "source" ? (
    <ConnectedSource onOther={() => setOther(true)} />
  ) : (
    <ConnectedDestination onOther={() => setOther(true)} />
  );
};
