import { crc32, deflateSync } from "node:zlib";

type Color = readonly [red: number, green: number, blue: number];

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const sized = Buffer.alloc(4);
  sized.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([sized, body, sum]);
};

/** A PNG whose pixels come from a function. */
const png = (width: number, height: number, colorAt: (x: number, y: number) => Color): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const lines = Buffer.concat(
    Array.from({ length: height }, (_, y) =>
      Buffer.from([0, ...Array.from({ length: width }, (__, x) => colorAt(x, y)).flat()]),
    ),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

const night: Color = [32, 38, 58];
const wood: Color = [120, 84, 56];
const metal: Color = [150, 156, 168];
const glow: Color = [255, 214, 120];

/** A lamp on a table at night: what customers photograph. Flickering lamps are half dark, broken ones lie. */
export const lampPicture = (how: "lit" | "dark" | "broken"): Buffer => {
  const [width, height] = [360, 220];
  return png(width, height, (x, y) => {
    if (y > 180) return wood;
    if (how === "broken") {
      if (Math.abs(y - 165 + (x - 180) * 0.05) < 5 && x > 110 && x < 240) return metal;
      if (x > 240 && x < 300 && y > 140 && (x + y) % 9 < 4) return metal;
      return night;
    }
    const shade = 60 + (y - 40) * 0.5;
    if (y > 40 && y < 100 && Math.abs(x - 180) < shade * 0.7) return how === "lit" ? glow : metal;
    if (y >= 100 && Math.abs(x - 180) < 4) return metal;
    if (y > 172 && Math.abs(x - 180) < 46) return metal;
    const far = Math.hypot(x - 180, y - 90);
    if (how === "lit" && far < 170) {
      const share = 1 - far / 170;
      return [night[0] + 120 * share, night[1] + 90 * share, night[2] + 30 * share];
    }
    return night;
  });
};

/** A screenshot of a form with one red field. */
export const formPicture = (): Buffer =>
  png(360, 200, (x, y) => {
    if (y < 24) return [70, 90, 130];
    const field = [50, 90, 130].find((top) => y > top && y < top + 26);
    if (field === undefined || x < 40 || x > 320) return [244, 245, 248];
    const onBorder = y === field + 1 || y === field + 25 || x === 40 || x === 320;
    if (field === 90) return onBorder || (y % 3 === 0 && x < 200) ? [200, 40, 40] : [255, 236, 236];
    return onBorder ? [150, 156, 168] : [255, 255, 255];
  });
