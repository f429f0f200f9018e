import { classNames } from "./class-names.ts";

/** The first letter that a name has. */
export const monogram = (name: string): string => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "·").toUpperCase();

interface TileProps {
  readonly name: string;
  readonly brand?: boolean;
  readonly size?: "s" | "l";
  /** The partner's own logo, from our own address. */
  readonly logo?: string | null | undefined;
}

/** A tool by its first letter: we draw no foreign logos. */
export const Tile = ({ name, brand, size, logo }: TileProps) => (
  <span className={classNames("tile", brand && !logo && "brand", size, logo && "pic")} aria-hidden="true">
    {logo ? <img src={logo} alt="" /> : monogram(name)}
  </span>
);
