import { parseArgs } from "node:util";

export interface Proof {
  /** 1: the size that the claim is about. */
  readonly scale: number;
  /** `full` times the scale, but at least `least`. */
  size(full: number, least: number): number;
  say(line: string): void;
  /** States a claim; a false one fails the proof, which still continues and prints all measurements. */
  holds(claim: string, isTrue: boolean, measured?: unknown): void;
  /**
   * States a bound on time, rate, ratio or memory. It is judged at full size only: a smaller run shows that the code is
   * correct, and the momentary speed of this machine must not decide that.
   */
  meets(bound: string, isMet: boolean, measured?: unknown): void;
  /**
   * States a goal, judged at full size too. Whoever misses one has something to improve, but no claim of ours is false: the
   * output is kept, and the table of kept runs names the goal.
   */
  aims(goal: string, isReached: boolean, measured?: unknown): void;
  /** Runs at the end in any case, in reverse order. */
  afterwards(undo: () => unknown): void;
}

/** Runs a proof: readable lines, then one line of JSON with its figures; exit code 1 if a claim is false. */
export const prove = async (
  name: string,
  body: (proof: Proof) => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> => {
  const { values } = parseArgs({ options: { scale: { type: "string", default: "1" } }, strict: false });
  const scale = Number(values["scale"]);
  if (!(scale > 0 && scale <= 1)) throw new Error("--scale takes a number above 0 and up to 1.");
  const broken: string[] = [];
  const missed: string[] = [];
  const undos: (() => unknown)[] = [];
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  let figures: Readonly<Record<string, unknown>> = {};
  const started = performance.now();
  const shown = (measured: unknown) => (measured === undefined ? "" : ` (${JSON.stringify(measured)})`);
  const holds: Proof["holds"] = (claim, isTrue, measured) => {
    say(`${isTrue ? "PASS" : "FAIL"}: ${claim}${shown(measured)}`);
    if (!isTrue) broken.push(claim);
  };
  const atFullSize =
    (judge: Proof["holds"]): Proof["meets"] =>
    (what, isTrue, measured) =>
      scale === 1 ? judge(what, isTrue, measured) : say(`measured, not judged: ${what}${shown(measured)}`);
  try {
    figures = await body({
      scale,
      size: (full, least) => Math.max(least, Math.round(full * scale)),
      say,
      holds,
      meets: atFullSize(holds),
      aims: atFullSize((goal, isReached, measured) => {
        say(
          isReached ? `REACHED: ${goal}${shown(measured)}` : `MISSED: ${goal}, NOT REACHED${shown(measured)}`,
        );
        if (!isReached) missed.push(goal);
      }),
      afterwards: (undo) => void undos.unshift(undo),
    });
  } catch (error) {
    broken.push("the proof ran to its end");
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  for (const undo of undos) await undo();
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  say(
    JSON.stringify({ proof: name, holds: broken.length === 0, scale, seconds, ...figures, missed, broken }),
  );
  process.exit(broken.length === 0 ? 0 : 1);
};
