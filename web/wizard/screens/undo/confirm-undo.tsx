import type { WizardMoved, WizardUndoPreview } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert, Undo2 } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { answerQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { nextScreen } from "../../app/next-screen.ts";
import { Page, PageHead } from "../../app/page.tsx";
import { ScreenLink } from "../../app/screen-link.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { KeptPart } from "./kept-part.tsx";
import { PreviewLists } from "./preview-lists.tsx";
import { undoSums } from "./undo-sums.ts";

const usePreview = () =>
  useQuery({
    ...answerQuery<WizardUndoPreview>(useClient(), "/undo-preview"),
    staleTime: 30_000,
    refetchOnWindowFocus: false,
    retry: false,
  });

const Understand = ({
  agreed,
  onChange,
  isMissing,
}: {
  agreed: boolean;
  onChange: (agreed: boolean) => void;
  isMissing: boolean;
}) => {
  const { t } = useTranslation("undo");
  const { partner } = useImport();
  const id = useId();
  return (
    <>
      <Checkbox
        label={t("confirm.understand", { destination: partner.name })}
        checked={agreed}
        aria-invalid={isMissing || undefined}
        aria-errormessage={isMissing ? id : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      {isMissing && (
        <p className="err" id={id} role="alert">
          <Icon of={TriangleAlert} size="s" />
          <span>{t("confirm.needed")}</span>
        </p>
      )}
      <p className="hint">{t("confirm.toEnd")}</p>
    </>
  );
};

const ConfirmForm = ({ preview }: { preview: WizardUndoPreview }) => {
  const { t } = useTranslation("undo");
  const found = useImport();
  const { busy, problem, request } = useChange();
  const [agreed, setAgreed] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const names = { destination: found.partner.name };
  const canReach = found.sides.destination.connected;
  const undo = async () => {
    if (!agreed) {
      setMissing(true);
      form.current?.querySelector<HTMLElement>("input[type=checkbox]")?.focus();
      return;
    }
    await request<WizardMoved>("undo", "/runs", { body: { kind: "undo" } });
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void undo();
      }}
    >
      <div className="card">
        <div className="pad">
          <PreviewLists preview={preview} />
        </div>
        {(!preview.looked || undoSums(preview).stays > 0 || !undoSums(preview).exact) && (
          <div className="pad border-t border-(--line)">
            <KeptPart preview={preview} />
          </div>
        )}
        <div className="pad border-t border-(--line)">
          <Understand
            agreed={agreed}
            isMissing={isMissing && !agreed}
            onChange={(next) => {
              setAgreed(next);
              setMissing(false);
            }}
          />
        </div>
      </div>
      {!canReach && (
        <Notice tone="warn" className="mt-4">
          <p>{t("confirm.signIn", names)}</p>
          <p className="mt-3">
            <ScreenLink to="destination" className={buttonClass({ look: "primary" })}>
              {t("confirm.signInButton", names)}
            </ScreenLink>
          </p>
        </Notice>
      )}
      <ChangeProblem problem={problem} />
      <Actions>
        {canReach && (
          <Button look="danger" type="submit" icon={Undo2} busy={busy !== null}>
            {t(busy === null ? "confirm.button" : "confirm.starting")}
          </Button>
        )}
        <ScreenLink to={nextScreen(found)} className={buttonClass()}>
          {t("confirm.keep")}
        </ScreenLink>
      </Actions>
    </form>
  );
};

/** A preview of the undo, with the button that starts it. */
export const ConfirmUndo = () => {
  const { t } = useTranslation("undo");
  const { sides, partner, status } = useImport();
  const { data: preview, isError, isFetching, refetch } = usePreview();
  const names = { source: sides.source.label, destination: partner.name };
  const whole = status.code === "migration_completed";
  return (
    <Page title={t("confirm.documentTitle")} width="narrow">
      <PageHead title={t(whole ? "confirm.title" : "confirm.titleSample")} lead={t("confirm.lead", names)} />
      {preview && preview.fields.length + preview.streams.filter(({ copies }) => copies > 0).length > 0 ? (
        <ConfirmForm preview={preview} />
      ) : preview ? (
        <Notice tone="idle" title={t("confirm.nothing")}>
          <p>{t("confirm.nothingText", names)}</p>
        </Notice>
      ) : isError && !isFetching ? (
        <Notice tone="warn" title={t("confirm.error")}>
          <Button className="mt-2" onClick={() => void refetch()}>
            {t("confirm.again")}
          </Button>
        </Notice>
      ) : (
        <section className="card pad">
          <p className="font-medium">{t("confirm.loading", names)}</p>
          <p className="hint">{t("confirm.loadingText")}</p>
          <div className="mt-4">
            <Skeleton lines={4} />
          </div>
        </section>
      )}
    </Page>
  );
};
