import { spawn } from "node:child_process";

/** Stops the server of this folder and removes the folder, once the other end of standard input is closed. */
const script = `cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
case "$(ps -o args= -p "\${pid:-0}" 2>/dev/null)" in
  *"$1"*)
    kill -QUIT "$pid"
    kill -CONT "$pid" $(ps -o pid= --ppid "$pid") 2>/dev/null
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done ;;
esac
rm -rf "$1"`;

/**
 * The server is not a child of this process, but must end with it, even if it is killed: a shell waits for that.
 * The shell is detached, so that Ctrl-C does not reach it.
 */
export const guardPostgres = (folder: string): void => {
  const guard = spawn("sh", ["-c", script, "sh", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void } | null)?.unref();
};
