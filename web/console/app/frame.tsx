import {
  Activity,
  Building2,
  Database,
  House,
  List,
  LogOut,
  Plug,
  Receipt,
  ScrollText,
  Users,
  Webhook,
} from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { Icon, type LucideIcon } from "../../ui/icon.tsx";
import { useSession } from "../api/queries.ts";
import { useWords } from "../i18n/use-words.ts";
import { Mark } from "./mark.tsx";
import { ConsoleLink, useLocation } from "./navigation.tsx";
import { ProblemNotice } from "./problem-notice.tsx";
import { useRights } from "./use-rights.ts";
import { useSignOut } from "./use-sign-out.ts";

interface NavItemProps {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}

const NavItem = ({ to, icon, children }: NavItemProps) => {
  const { path } = useLocation();
  const isHere = path === to || (to !== "/" && path.startsWith(`${to}/`));
  const item = useRef<HTMLAnchorElement>(null);
  // On a phone the navigation is a row that is wider than the window.
  useEffect(() => {
    if (isHere) item.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isHere]);
  return (
    <ConsoleLink ref={item} to={to} aria-current={isHere ? "page" : undefined}>
      <Icon of={icon} />
      {children}
    </ConsoleLink>
  );
};

/** Navigation, who is signed in with which role, and the screen. */
export const Frame = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation("shell");
  const { person } = useSession();
  const rights = useRights();
  const roleName = useWords("roles");
  const { problem, signOut } = useSignOut();
  const notice = useRef<HTMLDivElement>(null);
  // The page may be scrolled far away from it.
  useEffect(() => {
    if (problem) notice.current?.focus();
  }, [problem]);
  return (
    <div className="c-shell">
      <a className="skip" href="#main">
        {t("skip")}
      </a>
      <nav className="c-nav" aria-label={t("nav.label")}>
        <span className="mark">
          <Mark />
          {t("name")}
        </span>
        {rights.seesAll && (
          <NavItem to="/" icon={House}>
            {t("nav.overview")}
          </NavItem>
        )}
        <NavItem to="/imports" icon={List}>
          {t("nav.imports")}
        </NavItem>
        {rights.seesAll ? (
          <>
            <NavItem to="/partners" icon={Building2}>
              {t("nav.partners")}
            </NavItem>
            <NavItem to="/billing" icon={Receipt}>
              {t("nav.billing")}
            </NavItem>
            <span className="sec">{t("nav.system")}</span>
            <NavItem to="/tools" icon={Plug}>
              {t("nav.tools")}
            </NavItem>
            <NavItem to="/webhooks" icon={Webhook}>
              {t("nav.webhooks")}
            </NavItem>
            <NavItem to="/workers" icon={Activity}>
              {t("nav.workers")}
            </NavItem>
            <NavItem to="/data" icon={Database}>
              {t("nav.data")}
            </NavItem>
            {rights.managesStaff && (
              <NavItem to="/people" icon={Users}>
                {t("nav.people")}
              </NavItem>
            )}
            {rights.readsAudit && (
              <NavItem to="/audit" icon={ScrollText}>
                {t("nav.audit")}
              </NavItem>
            )}
          </>
        ) : (
          person.partner && (
            <NavItem to={`/partners/${person.partner.id}`} icon={Building2}>
              {t("nav.partner")}
            </NavItem>
          )
        )}
        <div className="foot">
          <span>
            <b>{person.name}</b>
            <span>{roleName(person.role)}</span>
            {person.partner && ` · ${person.partner.name}`}
          </span>
          <Button look="quiet" icon={LogOut} onClick={signOut}>
            {t("nav.signOut")}
          </Button>
        </div>
      </nav>
      <div className="c-body">
        {problem && (
          <div className="c-above">
            <ProblemNotice ref={notice} error={problem} lead={t("stillSignedIn")} again={signOut} />
          </div>
        )}
        {children}
      </div>
    </div>
  );
};
