import type { LucideIcon } from "lucide-react";
import { classNames } from "./class-names.ts";

export type { LucideIcon } from "lucide-react";

interface IconProps {
  readonly of: LucideIcon;
  readonly size?: "s" | "l";
  readonly className?: string | undefined;
}

/** A picture beside a word; it says nothing by itself, so it is told to nobody who only listens. */
export const Icon = ({ of: Picture, size, className }: IconProps) => (
  <Picture className={classNames("i", size, className)} aria-hidden="true" focusable="false" />
);
