import { CircleCheck, CircleX, Info, TriangleAlert } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { classNames } from "./class-names.ts";
import { Icon, type LucideIcon } from "./icon.tsx";

type NoticeTone = "ok" | "info" | "warn" | "bad" | "idle";

const icons: Readonly<Record<NoticeTone, LucideIcon>> = {
  ok: CircleCheck,
  info: Info,
  warn: TriangleAlert,
  bad: CircleX,
  idle: Info,
};

interface NoticeProps {
  readonly tone: NoticeTone;
  readonly icon?: LucideIcon;
  /** The first words, in bold. */
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  /** Screen readers announce it immediately: for errors after a click. */
  readonly alert?: boolean;
  readonly className?: string;
  readonly ref?: Ref<HTMLDivElement>;
}

export const Notice = ({ tone, icon, title, children, alert, className, ref }: NoticeProps) => (
  <div
    ref={ref}
    className={classNames("notice", `is-${tone}`, className)}
    role={alert ? "alert" : undefined}
    tabIndex={alert ? -1 : undefined}
  >
    <Icon of={icon ?? icons[tone]} />
    <div>
      {title !== undefined && (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      {children}
    </div>
  </div>
);
