import { classNames } from "./class-names.ts";

/** The first letter or digit of a name. */
export const monogram = (name: string): string => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "·").toUpperCase();

interface TileProps {
  readonly name: string;
  readonly brand?: boolean;
  readonly size?: "s" | "l";
  /** The partner's logo, served from our own origin. */
  readonly logo?: string | null | undefined;
}

/** A tool shown by its first letter: we use no logos of third parties. */
export const Tile = ({ name, brand, size, logo }: TileProps) => (
  <span className={classNames("tile", brand && !logo && "brand", size, logo && "pic")} aria-hidden="true">
    {logo ? <img src={logo} alt="" /> : monogram(name)}
  </span>
);
