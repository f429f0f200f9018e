import type { LucideIcon } from "lucide-react";
import { classNames } from "./class-names.ts";

export type { LucideIcon } from "lucide-react";

interface IconProps {
  readonly of: LucideIcon;
  readonly size?: "s" | "l";
  readonly className?: string | undefined;
}

/** A decorative icon beside a word; screen readers skip it, because the word says the same. */
export const Icon = ({ of: Picture, size, className }: IconProps) => (
  <Picture className={classNames("i", size, className)} aria-hidden="true" focusable="false" />
);
