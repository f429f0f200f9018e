/** Whether each module is dark, row by row. */
export type QrCode = readonly (readonly boolean[])[];

// By version, of error correction level M (ISO/IEC 18004, table 9): enough for an address of 331 bytes.
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9];
const checkBytes = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22];

const sizeOf = (version: number) => 17 + 4 * version;

/** The modules that hold data and checks, in bytes. */
const bytesOf = (version: number) => {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2;
    modules -= (25 * marks - 10) * marks - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
};

const layoutOf = (version: number) => {
  const blocks = blockCounts[version - 1] ?? 1;
  const checks = checkBytes[version - 1] ?? 0;
  return { blocks, checks, data: bytesOf(version) - blocks * checks };
};

/** In the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1. */
const multiply = (a: number, b: number) => {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
};

const generator = (degree: number) => {
  const factors = [...Array.from({ length: degree - 1 }, () => 0), 1];
  let root = 1;
  for (let i = 0; i < degree; i += 1) {
    for (let j = 0; j < degree; j += 1)
      factors[j] = multiply(factors[j] ?? 0, root) ^ (j + 1 < degree ? (factors[j + 1] ?? 0) : 0);
    root = multiply(root, 2);
  }
  return factors;
};

/** The Reed-Solomon checks of a block. */
const checksOf = (block: readonly number[], by: readonly number[]) => {
  const rest = by.map(() => 0);
  for (const byte of block) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    by.forEach((each, index) => {
      rest[index] = (rest[index] ?? 0) ^ multiply(each, factor);
    });
  }
  return rest;
};

/** Byte mode, its length, the bytes, and what fills the rest. */
const dataBytes = (bytes: Uint8Array, version: number, capacity: number) => {
  const bits: number[] = [];
  const add = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1);
  };
  add(4, 4);
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  add(0, Math.min(4, capacity * 8 - bits.length));
  add(0, (8 - (bits.length % 8)) % 8);
  const filled = Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
  for (let i = 0; filled.length < capacity; i += 1) filled.push(i % 2 === 0 ? 0xec : 0x11);
  return filled;
};

/** The blocks' bytes, then their checks, each taken in turns; later blocks may have one byte more. */
const interleaved = (data: readonly number[], version: number) => {
  const { blocks, checks } = layoutOf(version);
  const short = Math.floor(data.length / blocks);
  const longer = data.length % blocks;
  let from = 0;
  const parts = Array.from({ length: blocks }, (_, index) => {
    const length = short + (index >= blocks - longer ? 1 : 0);
    from += length;
    return data.slice(from - length, from);
  });
  const by = generator(checks);
  const inTurns = (lists: readonly (readonly number[])[], most: number) =>
    Array.from({ length: most }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
  return [
    ...inTurns(parts, short + 1),
    ...inTurns(
      parts.map((part) => checksOf(part, by)),
      checks,
    ),
  ];
};

/** Centers of the small squares, which are the same across and down. */
const marksOf = (version: number) => {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = sizeOf(version) - 7;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
};

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The remainder that protects the format and the version. */
const withRemainder = (value: number, bits: number, polynomial: number) => {
  let rest = value;
  for (let i = 0; i < bits; i += 1) rest = (rest << 1) ^ ((rest >> (bits - 1)) * polynomial);
  return (value << bits) | rest;
};

/** All that is at a fixed place; undefined: data. */
const fixedParts = (version: number, mask: number) => {
  const size = sizeOf(version);
  const modules: (boolean | undefined)[][] = Array.from({ length: size }, () =>
    Array.from({ length: size }, () => undefined),
  );
  const set = (x: number, y: number, dark: boolean) => {
    const row = modules[y];
    if (row && x >= 0 && x < size) row[x] = dark;
  };
  for (let i = 0; i < size; i += 1) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    for (let dy = -4; dy <= 4; dy += 1)
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
  const marks = marksOf(version);
  for (const cy of marks)
    for (const cx of marks) {
      // Three corners have the large squares.
      if ((cx === 6 && (cy === 6 || cy === size - 7)) || (cy === 6 && cx === size - 7)) continue;
      for (let dy = -2; dy <= 2; dy += 1)
        for (let dx = -2; dx <= 2; dx += 1) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  const format = withRemainder(mask, 10, 0x537) ^ 0x5412;
  for (let i = 0; i < 15; i += 1) {
    const dark = ((format >> i) & 1) === 1;
    if (i < 6) set(8, i, dark);
    else if (i < 8) set(8, i + 1, dark);
    else set(i === 8 ? 7 : 14 - i, 8, dark);
    if (i < 8) set(size - 1 - i, 8, dark);
    else set(8, size - 15 + i, dark);
  }
  set(8, size - 8, true);
  const numbered = withRemainder(version, 12, 0x1f25);
  for (let i = 0; version >= 7 && i < 18; i += 1) {
    const dark = ((numbered >> i) & 1) === 1;
    const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
    set(a, b, dark);
    set(b, a, dark);
  }
  return modules;
};

/** Two columns at a time from the right, up and down by turns. */
const place = (modules: (boolean | undefined)[][], bytes: readonly number[], mask: number): QrCode => {
  const size = modules.length;
  const isMasked = masks[mask] ?? (() => false);
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    // The column of the dotted line is left out.
    const from = right <= 6 ? right - 1 : right;
    const isUpward = ((from + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1)
      for (const x of [from, from - 1]) {
        const y = isUpward ? size - 1 - step : step;
        const row = modules[y];
        if (!row || row[x] !== undefined) continue;
        const dark = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        row[x] = dark !== isMasked(x, y);
        bit += 1;
      }
  }
  return modules.map((row) => row.map((dark) => dark === true));
};

/** How hard it is to read: long runs, squares of one shade, what looks like a corner, and too much of one shade. */
const penaltyOf = (code: QrCode) => {
  const lines = [...code, ...code.map((_, x) => code.map((row) => row[x] === true))];
  let penalty = 0;
  for (const line of lines) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    const around = `0000${text}0000`;
    for (let i = 0; i + 11 <= around.length; i += 1) {
      const part = around.slice(i, i + 11);
      if (part === "10111010000" || part === "00001011101") penalty += 40;
    }
  }
  let darks = 0;
  code.forEach((row, y) =>
    row.forEach((dark, x) => {
      if (dark) darks += 1;
      const below = code[y + 1];
      if (below && x + 1 < row.length && row[x + 1] === dark && below[x] === dark && below[x + 1] === dark)
        penalty += 3;
    }),
  );
  return penalty + Math.floor(Math.abs((darks * 20) / code.length ** 2 - 10)) * 10;
};

/** The QR code of a text, for a camera; null if the text is too long for one that is read easily. */
export const qrCode = (text: string): QrCode | null => {
  const bytes = new TextEncoder().encode(text);
  const version =
    blockCounts.findIndex((_, index) => bytes.length <= layoutOf(index + 1).data - (index < 9 ? 2 : 3)) + 1;
  if (version === 0) return null;
  const all = interleaved(dataBytes(bytes, version, layoutOf(version).data), version);
  const codes = masks.map((_, mask) => place(fixedParts(version, mask), all, mask));
  return codes.toSorted((a, b) => penaltyOf(a) - penaltyOf(b))[0] ?? null;
};

/** The dark modules as one path, a unit per module, with the quiet zone of four around it. */
export const qrPath = (code: QrCode): { readonly size: number; readonly path: string } => ({
  size: code.length + 8,
  path: code
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : [])))
    .join(""),
});
