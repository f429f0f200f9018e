import type { SchedulePlan, WizardMoved, WizardSchedule } from "@portage/contract/wizard";
import { CalendarClock } from "lucide-react";
import { type Ref, type SubmitEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Combobox } from "../../../ui/combobox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useLocale } from "../../../ui/locale.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { answerQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { EmailMe } from "../../app/email-me.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { useNow } from "../../running/use-now.ts";
import { endsAfter, localNow, plannedEnd, plannedTimes } from "./planned-times.ts";

type When = "tonight" | "weekend" | "own";
type Planned = NonNullable<WizardSchedule["schedule"]>;

const everyMs = 15_000;
const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;
// Not every browser lists UTC.
const zoneOptions = () =>
  [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])].map((zone) => ({ value: zone, label: zone }));

const useTimeText = () => {
  const { locale } = useLocale();
  return (moment: Date | string, timeZone: string) =>
    new Intl.DateTimeFormat(locale, {
      ...({ weekday: "long", month: "long", day: "numeric" } as const),
      ...({ hour: "numeric", minute: "2-digit", timeZone } as const),
    }).format(new Date(moment));
};

interface PlanFormProps {
  readonly before: Planned | null;
  readonly latest: string;
  /** Of the move; null: not known. */
  readonly durationMs: number | null;
  readonly onDone: (saved: boolean) => void;
}

const PlanForm = ({ before, latest, durationMs, onDone }: PlanFormProps) => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  const found = useImport();
  const client = useClient();
  const queryClient = useQueryClient();
  const timeText = useTimeText();
  const { busy, problem, request } = useChange();
  const [zone, setZone] = useState(before?.timeZone ?? ownZone());
  const [when, setWhen] = useState<When>(before ? "own" : "tonight");
  const [own, setOwn] = useState(before ? localNow(new Date(before.startsAt), before.timeZone) : "");
  const [zones] = useState(zoneOptions);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input:checked")?.focus(), []);
  const now = new Date(useNow());
  const times = plannedTimes(now, zone);
  const local = when === "own" ? own : times[when];
  const last = localNow(new Date(latest), zone);
  const isPossible = local > localNow(now, zone) && local <= last;
  // A time on a clock, shown as it is: the server finds its moment.
  const shown = (time: string) => timeText(`${time}:00Z`, "UTC");
  const end = isPossible && durationMs !== null ? plannedEnd(local, durationMs, zone) : null;
  const save = async () => {
    if (found.status.code === "sample_completed") {
      const asked = await request<WizardMoved>("plan", "/ask-full");
      if (asked.kind !== "ok") return;
    }
    const body: SchedulePlan = { local, timeZone: zone };
    const outcome = await request<WizardSchedule>("plan", "/schedule", { method: "PUT", body });
    if (outcome.kind !== "ok") return;
    queryClient.setQueryData([client.importId, "/schedule"], outcome.value);
    onDone(true);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy === null && isPossible) void save();
  };
  return (
    <form ref={form} className="mt-4" onSubmit={submit} noValidate>
      <Choice<When>
        legend={t("plan.when")}
        value={when}
        onChange={setWhen}
        options={[
          { value: "tonight", label: t("plan.tonight"), hint: shown(times.tonight) },
          { value: "weekend", label: t("plan.weekend"), hint: shown(times.weekend) },
          {
            value: "own",
            label: t("plan.own"),
            below: when === "own" && (
              <Field
                label={t("plan.time")}
                hint={t("plan.until", { date: shown(last) })}
                error={own !== "" && !isPossible ? t("plan.impossible") : undefined}
              >
                <Input
                  type="datetime-local"
                  value={own}
                  min={localNow(now, zone)}
                  max={last}
                  onChange={({ target }) => setOwn(target.value.slice(0, 16))}
                />
              </Field>
            ),
          },
        ]}
      />
      <div className="mt-4">
        <Field label={t("plan.zone")} hint={t("plan.zoneHint")}>
          <Combobox
            options={zones}
            value={{ value: zone, label: zone }}
            onChange={(chosen) => chosen && setZone(chosen.value)}
          />
        </Field>
      </div>
      {end !== null && durationMs !== null && (
        <p className="hint mt-4" role="status">
          {t(`plan.ends.${endsAfter(when, local, end) ?? "within"}`, {
            time: formats.duration(durationMs / 1000),
            end: shown(end),
          })}
        </p>
      )}
      <div className="row wrap mt-4">
        <Button
          type="submit"
          look="secondary"
          busy={busy !== null}
          disabledReason={isPossible ? null : t("plan.impossible")}
        >
          {busy === null ? t("plan.save") : t("plan.saving")}
        </Button>
        <Button look="quiet" onClick={() => onDone(false)}>
          {t("plan.close")}
        </Button>
      </div>
      <ChangeProblem problem={problem} />
    </form>
  );
};

interface PlannedNoticeProps {
  readonly planned: Planned;
  /** The button that opens the form. */
  readonly door: Ref<HTMLButtonElement>;
  readonly onChange: () => void;
  readonly onCancelled: () => void;
}

const PlannedNotice = ({ planned, door, onChange, onCancelled }: PlannedNoticeProps) => {
  const { t } = useTranslation("full");
  const client = useClient();
  const queryClient = useQueryClient();
  const timeText = useTimeText();
  const { busy, problem, request } = useChange();
  const cancel = async () => {
    const outcome = await request<WizardSchedule>("cancel", "/schedule", { method: "DELETE" });
    if (outcome.kind !== "ok")
      return queryClient.invalidateQueries({ queryKey: [client.importId, "/schedule"] });
    onCancelled();
    queryClient.setQueryData([client.importId, "/schedule"], outcome.value);
  };
  const { state, startsAt, timeZone, missedBecause } = planned;
  const time = timeText(startsAt, timeZone);
  return (
    <>
      <Notice
        tone={state === "missed" ? "warn" : "info"}
        icon={CalendarClock}
        title={t(`plan.state.${state}`, { time, zone: timeZone })}
      >
        {state === "planned" && <p>{t("plan.note")}</p>}
        {missedBecause !== null && <p>{t(`plan.missed.${missedBecause}`)}</p>}
      </Notice>
      <div className="row wrap mt-3">
        <Button ref={door} look="quiet" onClick={onChange}>
          {t("plan.change")}
        </Button>
        <Button look="quiet" busy={busy !== null} onClick={() => void cancel()}>
          {t(state === "missed" ? "plan.dismiss" : "plan.cancel")}
        </Button>
      </div>
      <ChangeProblem problem={problem} />
    </>
  );
};

/** The start of the move at a later time: planned, changed, taken back, or missed. */
export const PlannedStart = ({
  possible,
  durationMs,
}: {
  readonly possible: boolean;
  readonly durationMs: number | null;
}) => {
  const { t } = useTranslation("full");
  const { data } = useQuery({
    ...answerQuery<WizardSchedule>(useClient(), "/schedule"),
    refetchInterval: everyMs,
  });
  const [isOpen, setOpen] = useState(false);
  const door = useRef<HTMLButtonElement>(null);
  const isPlanned = data?.schedule != null;
  // Whether there is a plan once the focus can return. A plan that changes elsewhere moves no focus.
  const returnsAt = useRef<boolean | null>(null);
  useEffect(() => {
    if (isOpen || returnsAt.current !== isPlanned) return;
    returnsAt.current = null;
    door.current?.focus();
  }, [isOpen, isPlanned]);
  const returnFocus = (planned: boolean) => {
    returnsAt.current = planned;
  };
  if (!data) return null;
  const { schedule, latest } = data;
  if (schedule === null && !possible) return null;
  return (
    <section className="mt-6" aria-label={t("plan.label")}>
      <div role="status">
        {schedule && !isOpen && (
          <PlannedNotice
            planned={schedule}
            door={door}
            onChange={() => setOpen(true)}
            onCancelled={() => returnFocus(false)}
          />
        )}
      </div>
      {isOpen && (
        <PlanForm
          before={schedule}
          latest={latest}
          durationMs={durationMs}
          onDone={(saved) => {
            returnFocus(saved || isPlanned);
            setOpen(false);
          }}
        />
      )}
      {!schedule && !isOpen && (
        <Button ref={door} look="secondary" full icon={CalendarClock} onClick={() => setOpen(true)}>
          {t("plan.open")}
        </Button>
      )}
      {schedule?.state === "planned" && !isOpen && <EmailMe of="start" />}
    </section>
  );
};
