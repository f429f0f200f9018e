import type { CDPSession, Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly tid: number;
  readonly pid: number;
}

export interface ScrollFigures {
  readonly frames: number;
  /** CPU time for scripting, style and layout of a frame, in milliseconds. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** The longest task of the page's main thread, in milliseconds of CPU time and of wall time. */
  readonly longestTaskMs: number;
  readonly longestTaskWallMs: number;
  readonly mostRows: number;
  readonly loaded: number;
}

const scripting = new Set([
  "FunctionCall",
  "EvaluateScript",
  "EventDispatch",
  "TimerFire",
  "FireAnimationFrame",
  "RunMicrotasks",
  "Layout",
  "UpdateLayoutTree",
  "ResizeObserver.deliverToObservers",
  "IntersectionObserverController::",
  "MajorGC",
  "MinorGC",
  "V8.GC_MINOR_MC",
  "XHRReadyStateChange",
]);

const trace = async (client: CDPSession, during: () => Promise<void>): Promise<readonly TraceEvent[]> => {
  const events: TraceEvent[] = [];
  client.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await client.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: ["devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline"],
    },
  });
  await during();
  const complete = new Promise((resolve) => client.once("Tracing.tracingComplete", resolve));
  await client.send("Tracing.end");
  await complete;
  return events;
};

const ms = (micros: number) => Math.round(micros / 10) / 100;
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Only the outermost of these: they include what they contain. */
const outermost = (events: readonly TraceEvent[]): readonly TraceEvent[] => {
  let end = 0;
  return events
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
    .filter((event) => {
      if (event.ts < end) return false;
      end = event.ts + (event.dur ?? 0);
      return true;
    });
};

/** Scrolls a list to its end, most of a screen per frame, and returns the cost of each frame. */
export const measureScroll = async (page: Page, selector: string): Promise<ScrollFigures> => {
  const client = await page.context().newCDPSession(page);
  let seen = { mostRows: 0, loaded: 0 };
  const events = await trace(client, async () => {
    seen = await page.evaluate(async (list) => {
      const box = document.querySelector<HTMLElement>(list);
      if (!box) throw new Error("There is no list.");
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      let mostRows = 0;
      let still = 0;
      while (still < 120) {
        const before = box.scrollTop;
        box.scrollTop += 400;
        await frame();
        mostRows = Math.max(mostRows, box.querySelectorAll("li").length);
        still = box.scrollTop === before ? still + 1 : 0;
      }
      const last = box.querySelector("li:last-child")?.getAttribute("aria-posinset") ?? "0";
      return { mostRows, loaded: Number(last) };
    }, selector);
  });
  await client.detach();
  const frames = events.filter(({ name, ph }) => name === "FireAnimationFrame" && ph === "X");
  const counts = new Map<string, number>();
  for (const { pid, tid } of frames) counts.set(`${pid}:${tid}`, (counts.get(`${pid}:${tid}`) ?? 0) + 1);
  const [main] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [""];
  const own = events.filter(({ pid, tid, ph }) => `${pid}:${tid}` === main && ph === "X");
  const starts = own.filter(({ name }) => name === "FireAnimationFrame").map(({ ts }) => ts);
  const costs = starts.map(() => 0);
  for (const event of outermost(own.filter(({ name }) => scripting.has(name)))) {
    const index = starts.findLastIndex((ts) => ts <= event.ts);
    if (index >= 0) costs[index] = (costs[index] ?? 0) + (event.tdur ?? event.dur ?? 0);
  }
  const tasks = own.filter(({ name }) => name === "RunTask" || name === "ThreadControllerImpl::RunTask");
  const sorted = costs.toSorted((a, b) => a - b);
  return {
    frames: starts.length,
    p50Ms: ms(at(sorted, 0.5)),
    p95Ms: ms(at(sorted, 0.95)),
    maxMs: ms(sorted.at(-1) ?? 0),
    longestTaskMs: ms(Math.max(0, ...tasks.map(({ tdur, dur }) => tdur ?? dur ?? 0))),
    longestTaskWallMs: ms(Math.max(0, ...tasks.map(({ dur }) => dur ?? 0))),
    ...seen,
  };
};
