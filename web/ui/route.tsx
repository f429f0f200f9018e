import { classNames } from "./class-names.ts";
import "./styles/route.css";
import { Tile } from "./tile.tsx";

interface RouteProps {
  readonly from: string;
  readonly to: string;
  /** The accessible name: "From Zendesk to Acme Desk". */
  readonly label: string;
  /** `part`: it ended, but not everything arrived or is verified. */
  readonly trail: "live" | "stop" | "done" | "part" | "back";
  readonly logo?: string | null | undefined;
  readonly hero?: boolean;
}

/** Shows both tools with an arrow between them. */
export const Route = ({ from, to, label, trail, logo, hero }: RouteProps) => {
  const size = hero ? ({ size: "l" } as const) : {};
  return (
    <div className={classNames("route", hero && "hero")} role="img" aria-label={label}>
      <Tile name={from} {...size} />
      <span className={classNames("trail", trail)} />
      <Tile name={to} brand logo={logo} {...size} />
    </div>
  );
};
