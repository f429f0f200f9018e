import type { TakenStream } from "@portage/contract/wizard";
import { ArrowRight, CircleCheck, ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { type Check, Checks } from "../../../ui/checks.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { ScreenLink } from "../../app/screen-link.tsx";
import { helpHref } from "../../app/help-href.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { AccountHead } from "../connect/account-head.tsx";
import { EraseSignIn } from "../connect/erase-sign-in.tsx";
import { namesFor } from "../connect/names.ts";
import { useFound } from "../connect/use-found.ts";

/** Only checks that this connector's capabilities back. */
const useChecks = (tool: string): readonly Check[] => {
  const { t } = useTranslation("destination");
  const formats = useFormats();
  const kinds = useKinds();
  const wordsOf = (streams: readonly TakenStream[]) =>
    formats.list(streams.map(({ label }) => kinds.words(label)));
  const { data, error } = useFound("destination");
  const stays: Check = { key: "stays", state: "done", title: t("stays"), text: t("staysText") };
  if (error) return [stays, { key: "look", state: "note", title: t("unlooked", { tool }) }];
  if (!data) return [stays, { key: "look", state: "working", title: t("looking", { tool }) }];
  const noisy = data.streams.filter(({ silent }) => !silent);
  const limited = data.streams.filter(({ room }) => room !== null);
  const full = limited.filter(({ room }) => (room ?? 0) <= 0);
  const roomy = limited.filter(({ room }) => (room ?? 0) > 0);
  const room = roomy.map(({ room: most, label }) =>
    t("roomOf", { amount: formats.count(most ?? 0), name: kinds.word(label, most ?? 0) }),
  );
  return [
    noisy.length === 0
      ? { key: "silent", state: "done", title: t("silent"), text: t("silentText") }
      : {
          key: "silent",
          state: "note",
          text: t("noisyText", { tool }),
          title: t("noisy", { tool, names: wordsOf(noisy) }),
        },
    stays,
    ...(roomy.length > 0
      ? [
          {
            key: "room",
            state: "done" as const,
            title: t("room"),
            text: t("roomText", { list: formats.list(room) }),
          },
        ]
      : []),
    ...(full.length > 0
      ? [
          {
            key: "full",
            state: "note" as const,
            text: t("fullText", { tool }),
            title: t("full", { names: wordsOf(full) }),
          },
        ]
      : []),
  ];
};

const NotYours = () => {
  const { t } = useTranslation("destination");
  const { partner } = useImport();
  const href = helpHref(partner);
  return (
    <p className="mt-4 muted t14">
      {href !== null && (
        <>
          {t("notYours")}{" "}
          <a href={href} target="_blank" rel="noopener noreferrer">
            {t("tell", { partner: partner.name })}
          </a>
          .{" "}
        </>
      )}
      {t("stopHere")}
    </p>
  );
};

/** The connected destination: the account, and the checks that passed. */
export const ConnectedDestination = ({ onOther }: { onOther: () => void }) => {
  const { t } = useTranslation("destination");
  const { t: shared } = useTranslation("connect");
  const found = useImport();
  const client = useClient();
  const state = found.sides.destination;
  const names = namesFor(found, "destination");
  const isAdmin = found.may !== "everything";
  const byPartner = state.form.required.every((name) => state.supplied.includes(name));
  const checks = useChecks(names.tool);
  return (
    <Page title={t("documentTitle", names)} width="narrow">
      <PageHead
        title={isAdmin ? shared("admin.doneTitle", names) : t("readyTitle", names)}
        lead={isAdmin ? shared("admin.doneLead") : byPartner ? t("readyLead", names) : t("ownLead")}
      />
      <section className="card" aria-label={t("readyTitle", names)}>
        <div className="pad">
          <AccountHead
            state={state}
            brand
            logo={found.partner.hasLogo ? client.address("/logo") : null}
            pill={
              byPartner ? (
                <Pill tone="ok" icon={ShieldCheck}>
                  {t("verified", names)}
                </Pill>
              ) : (
                <Pill tone="ok" icon={CircleCheck}>
                  {shared("connected.pill")}
                </Pill>
              )
            }
          />
        </div>
        <div className="checked">
          <Checks checks={checks} label={t("list")} />
        </div>
      </section>
      <NotYours />
      <p className="mt-2">
        <EraseSignIn side="destination" />
      </p>
      <Actions>
        {!isAdmin && (
          <ScreenLink
            to={found.sides.source.connected ? "choose" : "connect"}
            className={buttonClass({ look: "primary" })}
          >
            {t("continue")}
            <Icon of={ArrowRight} className="flip" />
          </ScreenLink>
        )}
        {!isAdmin && (
          <ScreenLink to="connect" className={buttonClass({ look: "quiet" })}>
            {t("back")}
          </ScreenLink>
        )}
        {(isAdmin || !byPartner) && (
          <Button look="quiet" onClick={onOther}>
            {shared("connected.other")}
          </Button>
        )}
      </Actions>
    </Page>
  );
};
