import { readFileSync, writeFileSync } from "node:fs";

type Pid = number | "self";

/** The kernel's count for a process, in bytes: now, and the peak since its start or since `forgetPeak`. */
export const residentBytes = (pid: Pid = "self"): { readonly now: number; readonly peak: number } => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytesOf = (name: string) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
    if (!kilobytes) throw new Error(`The kernel does not report ${name}.`);
    return Number(kilobytes) * 1024;
  };
  return { now: bytesOf("VmRSS"), peak: bytesOf("VmHWM") };
};

/** Where the kernel does not allow it, the peak includes the start, which is only stricter. */
export const forgetPeak = (pid: Pid = "self"): void => {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {}
};
