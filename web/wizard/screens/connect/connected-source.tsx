import { ArrowRight, CircleCheck, Eye, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { Page, PageHead } from "../../app/page.tsx";
import { ScreenLink } from "../../app/screen-link.tsx";
import { ServerText } from "../../app/server-text.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { AccountHead } from "./account-head.tsx";
import { countWords } from "./count-words.ts";
import { EraseSignIn } from "./erase-sign-in.tsx";
import { namesFor } from "./names.ts";
import { useFound } from "./use-found.ts";

const FoundList = () => {
  const { t } = useTranslation("connect");
  const formats = useFormats();
  const { title } = useKinds();
  const { data } = useFound("source");
  if (!data)
    return (
      <div className="pad">
        <Skeleton lines={3} marks={false} />
      </div>
    );
  // Hide kinds that are counted and empty.
  const shown = data.streams.filter(({ state, count }) => state !== "counted" || (count ?? 0) > 0);
  return (
    <ul className="found" aria-label={t("connected.list")}>
      {shown.map((stream) => (
        <li key={stream.name}>
          <b className={stream.state === "counted" ? undefined : "soft"}>{countWords(stream, formats, t)}</b>
          {title(stream.label)}
        </li>
      ))}
    </ul>
  );
};

const Findings = () => {
  const { t } = useTranslation("connect");
  const formats = useFormats();
  const { title } = useKinds();
  const found = useImport();
  const { data } = useFound("source");
  const refused = (data?.streams ?? []).filter(({ state }) => state === "refused");
  const tool = found.sides.source.label;
  return (
    <>
      {refused.length > 0 && (
        <Notice tone="warn" icon={TriangleAlert} className="mt-4">
          <p>
            {t("connected.refusedHint", {
              tool,
              names: formats.list(refused.map(({ label }) => title(label))),
            })}
          </p>
        </Notice>
      )}
      {data?.trouble != null && (
        <Notice tone="warn" icon={TriangleAlert} className="mt-4">
          <p>
            {t("connected.trouble")} <ServerText>{data.trouble}</ServerText>
          </p>
        </Notice>
      )}
      {found.run === null && <p className="mt-4 muted t14">{t("connected.nothingCopied")}</p>}
    </>
  );
};

/** The connected source: the account, and the records in it. */
export const ConnectedSource = ({ onOther }: { onOther: () => void }) => {
  const { t } = useTranslation(["connect", "files"]);
  const found = useImport();
  const state = found.sides.source;
  const names = namesFor(found, "source");
  const isAdmin = found.may !== "everything";
  const isFiles = state.signIn === "none";
  const title = isFiles ? t("files:connected.title") : t("connected.title", names);
  return (
    <Page
      title={isFiles ? t("files:connected.documentTitle") : t("connected.documentTitle", names)}
      width="narrow"
    >
      <PageHead
        title={isAdmin && !isFiles ? t("admin.doneTitle", names) : title}
        lead={isAdmin ? t("admin.doneLead") : isFiles ? t("files:connected.lead") : t("connected.lead")}
      />
      <section className="card" aria-label={title}>
        <div className="pad">
          <AccountHead
            state={state}
            pill={
              state.readOnly ? (
                <Pill tone="ok" icon={Eye}>
                  {t("connected.pillReadOnly")}
                </Pill>
              ) : (
                <Pill tone="ok" icon={CircleCheck}>
                  {isFiles ? t("files:connected.pill") : t("connected.pill")}
                </Pill>
              )
            }
          />
        </div>
        <FoundList />
      </section>
      <Findings />
      <p className="mt-2">
        <EraseSignIn side="source" />
      </p>
      <Actions fixed={false}>
        {!isAdmin && (
          <ScreenLink to="destination" className={buttonClass({ look: "primary" })}>
            {t("connected.continue")}
            <Icon of={ArrowRight} className="flip" />
          </ScreenLink>
        )}
        <Button look="quiet" onClick={onOther}>
          {isFiles ? t("files:connected.other") : t("connected.other")}
        </Button>
      </Actions>
    </Page>
  );
};
