import type { Model, Step } from "./check-model.ts";

/** The rules of starting, handing over and ending chunks; each can be disabled. */
export const handOverGuards = {
  /** The key of a send contains the generation, so that no key is ever reused for a restart. */
  generationInKey: true,
  /** A chunk starts only if its generation is the row's. */
  startChecksGeneration: true,
  /** … and only if its partition has not ended. */
  startChecksState: true,
  /** A hand-over raises the generation only from its own. */
  handOverGuarded: true,
  /**
   * A chunk that finds a newer generation, or that its partition has ended, sends what its run went on with: the process that did
   * so may have died before sending.
   */
  newerSentAgain: true,
  /** The sweep raises the generation of an overdue partition. */
  sweeps: true,
  /** … also if it is to be stopped. */
  sweepsStopping: true,
  /** A resume raises the generation and writes its message in the same transaction. */
  resumeRaises: true,
  /** So does a stop: perhaps no chunk is running that could see it. */
  stopRaises: true,
  /** The batch in doubt is settled before the chunk checks for a stop. */
  settledBeforeStopped: true,
  /** Claim and settle are refused to all but the newest attempt. */
  fenced: true,
};
export type HandOverGuards = { readonly [Guard in keyof typeof handOverGuards]: boolean };

export interface HandOverEnvironment {
  readonly pages: number;
  readonly pauses: boolean;
  readonly stops: boolean;
  /** The engine abandons an invocation, and remembers its key. */
  readonly givesUp: boolean;
  /** The engine loses all its data: invocations and keys. */
  readonly forgets: boolean;
  /** False: nothing that only the sweep can repair may happen, or be needed. */
  readonly overdue: boolean;
  /** The chunk before ended its partition, and goes on with this one, of which the engine knows nothing. */
  readonly goesOn?: boolean;
}

interface Chunk {
  /** Relative to the row's generation: absolute numbers would make the model infinite. */
  readonly generation: "current" | "older";
  readonly doing: "settle" | "claim" | "write" | "record" | "hand over" | "send" | "send older";
}

interface HandOverState {
  readonly wanted: "run" | "pause" | "stop";
  readonly partition: "running" | "done" | "stopped";
  readonly pages: number;
  readonly doubt: boolean;
  /** Messages in the outbox, of the current generation and of older ones. */
  readonly message: boolean;
  readonly olderMessage: boolean;
  /** The engine's state under the current generation's key. */
  readonly engine: "nothing" | "live" | "ended";
  /** Whether the engine still retries an older generation. */
  readonly olderLive: boolean;
  readonly holder: Chunk | null;
  readonly zombie: Chunk | null;
  readonly wrong: string | null;
}

type Role = "holder" | "zombie";

const aged = (chunk: Chunk | null): Chunk | null =>
  chunk && { generation: "older", doing: chunk.doing === "send" ? "send older" : chunk.doing };

/** Raises the generation by one: everything current becomes older. */
const raised = (state: HandOverState, guards: HandOverGuards): HandOverState => ({
  ...state,
  message: false,
  olderMessage: state.olderMessage || state.message,
  engine: guards.generationInKey ? "nothing" : state.engine,
  olderLive: state.olderLive || (guards.generationInKey && state.engine === "live"),
  holder: aged(state.holder),
  zombie: aged(state.zombie),
});

/** The engine answers a repeated key with the existing invocation, even if that has ended. */
const sent = (state: HandOverState): HandOverState =>
  state.engine === "nothing" ? { ...state, engine: "live" } : state;

const people = (
  state: HandOverState,
  guards: HandOverGuards,
  environment: HandOverEnvironment,
  step: Step<HandOverState>,
): void => {
  if (state.partition !== "running") return;
  if (environment.pauses && state.wanted === "run") step("pause", { ...state, wanted: "pause" });
  if (state.wanted === "pause") {
    const resumed = guards.resumeRaises ? raised(state, guards) : state;
    step("resume", { ...resumed, wanted: "run", message: true });
  }
  if (environment.stops && state.wanted !== "stop")
    step(
      "stop",
      guards.stopRaises
        ? { ...raised(state, guards), wanted: "stop", message: true }
        : { ...state, wanted: "stop" },
    );
};

const engine = (
  state: HandOverState,
  guards: HandOverGuards,
  environment: HandOverEnvironment,
  step: Step<HandOverState>,
): void => {
  if (state.message) {
    step("dispatch", { ...sent(state), message: false });
    step("dispatch, and lose the acknowledgement", sent(state));
  }
  if (state.olderMessage) {
    step("dispatch an older message", { ...state, olderMessage: false, olderLive: true });
  }
  if (environment.givesUp && state.engine === "live") step("engine: gives up", { ...state, engine: "ended" });
  if (environment.forgets) step("engine: loses its data", { ...state, engine: "nothing", olderLive: false });
  const swept = state.wanted === "run" || (state.wanted === "stop" && guards.sweepsStopping);
  if (guards.sweeps && environment.overdue && state.partition === "running" && swept) {
    const again = raised(state, guards);
    step("sweep", sent(again));
    step("sweep, and die before sending", again);
  }
};

const startChunk = (
  state: HandOverState,
  generation: Chunk["generation"],
  guards: HandOverGuards,
  step: Step<HandOverState>,
): void => {
  const ended: HandOverState =
    generation === "current" ? { ...state, engine: "ended" } : { ...state, olderLive: false };
  if (generation === "older" && guards.startChecksGeneration) {
    step("start: superseded", guards.newerSentAgain && state.partition === "running" ? sent(ended) : ended);
    return;
  }
  if (state.partition !== "running" && guards.startChecksState) {
    step("start: the partition has ended", ended);
    return;
  }
  if (state.holder && state.zombie) return;
  const stopsAtOnce = !guards.settledBeforeStopped && state.wanted === "stop";
  step(`start ${generation}`, {
    ...state,
    holder: { generation, doing: state.doubt && !stopsAtOnce ? "settle" : "claim" },
    zombie: state.holder ?? state.zombie,
    wrong: generation === "older" ? "a superseded chunk takes over" : state.wrong,
  });
};

interface Turn {
  readonly state: HandOverState;
  readonly role: Role;
  readonly chunk: Chunk;
  readonly guards: HandOverGuards;
  readonly environment: HandOverEnvironment;
  readonly step: Step<HandOverState>;
}

/** The attempt ends, and so does its invocation, unless the engine has another attempt of it. */
const over = (state: HandOverState, role: Role, chunk: Chunk): HandOverState => ({
  ...state,
  [role]: null,
  engine: role === "holder" && chunk.generation === "current" ? "ended" : state.engine,
});

const claim = ({ state, role, chunk, step }: Turn): void => {
  const ended = over(state, role, chunk);
  if (state.partition !== "running")
    step(`${role}: claim`, { ...state, wrong: "works on a partition that has ended" });
  else if (state.wanted === "stop") step(`${role}: sees the stop`, { ...ended, partition: "stopped" });
  else if (state.wanted === "pause") step(`${role}: sees the pause`, ended);
  else step(`${role}: claim`, { ...state, doubt: true, [role]: { ...chunk, doing: "write" } });
};

const record = ({ state, role, chunk, environment, step }: Turn): void => {
  const pages = Math.min(state.pages + 1, environment.pages);
  const settled: HandOverState = { ...state, doubt: false, pages };
  if (pages === environment.pages)
    step(`${role}: settle, the end`, { ...over(settled, role, chunk), partition: "done" });
  else
    for (const doing of ["claim", "hand over"] as const)
      step(`${role}: settle, then ${doing}`, { ...settled, [role]: { ...chunk, doing } });
};

const handOver = ({ state, role, chunk, guards, step }: Turn): void => {
  const current = chunk.generation === "current" && role === "holder";
  if (!current && guards.handOverGuarded) {
    step(`${role}: no hand-over, superseded`, over(state, role, chunk));
    return;
  }
  const next = raised(state, guards);
  step(`${role}: hand over`, {
    ...next,
    [role]: { generation: "older", doing: "send" },
    olderLive: true,
    wrong: current ? state.wrong : "a superseded chunk hands over",
  });
};

const work = (turn: Turn): void => {
  const { state, role, chunk, guards, step } = turn;
  const fenced = guards.fenced && role === "zombie";
  switch (chunk.doing) {
    case "settle":
      // the grace: the attempt that claimed this batch can't send any more
      if (state.zombie?.doing === "write" || state.holder?.doing === "write") return;
      if (fenced) step(`${role}: settle is fenced`, over(state, role, chunk));
      else step(`${role}: settle`, { ...state, doubt: false, [role]: { ...chunk, doing: "claim" } });
      return;
    case "claim":
      if (fenced) step(`${role}: claim is fenced`, over(state, role, chunk));
      else claim(turn);
      return;
    case "write":
      step(`${role}: write, answered`, { ...state, [role]: { ...chunk, doing: "record" } });
      step(`${role}: write, no answer`, { ...state, [role]: { ...chunk, doing: "settle" } });
      return;
    case "record":
      if (fenced) step(`${role}: settle is fenced`, over(state, role, chunk));
      else record(turn);
      return;
    case "hand over":
      handOver(turn);
      return;
    case "send":
      step(`${role}: send`, over(sent(state), role, chunk));
      return;
    case "send older":
      step(`${role}: send what is older by now`, over({ ...state, olderLive: true }, role, chunk));
      return;
  }
};

/** Who may work on a partition, from the first send to its end. */
export const handOverModel = (
  guards: HandOverGuards,
  environment: HandOverEnvironment,
): Model<HandOverState> => ({
  start: {
    wanted: "run",
    partition: "running",
    pages: 0,
    doubt: false,
    message: environment.goesOn !== true,
    olderMessage: false,
    engine: "nothing",
    olderLive: environment.goesOn === true,
    holder: environment.goesOn === true ? { generation: "current", doing: "claim" } : null,
    zombie: null,
    wrong: null,
  },
  next: (state, step) => {
    people(state, guards, environment, step);
    engine(state, guards, environment, step);
    if (state.engine === "live") startChunk(state, "current", guards, step);
    if (state.olderLive) startChunk(state, "older", guards, step);
    for (const role of ["holder", "zombie"] as const) {
      const chunk = state[role];
      if (!chunk) continue;
      step(`${role}: crash`, { ...state, [role]: null });
      work({ state, role, chunk, guards, environment, step });
    }
  },
  wrong: ({ wrong, partition, doubt, holder, zombie }) => {
    if (wrong) return wrong;
    if (partition !== "running" && doubt) return "ended with a batch in doubt";
    if (holder?.doing === "write" && zombie?.doing === "write") return "two write at once";
    return null;
  },
  goal: ({ partition }) => partition !== "running",
});
