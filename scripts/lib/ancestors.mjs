import { spawnSync } from "node:child_process"

function lookUp(pid) {
  const { stdout } = spawnSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" })
  const [, parent, command] = stdout?.trim().match(/^(\d+)\s+(.*)$/s) ?? []
  return { parent: Number(parent ?? 0), command: command ?? "" }
}

/** The processes between npm and this one: `npm run demo`, the shell it may put between, or just the parent. */
function starters() {
  const direct = process.ppid
  const { parent, command } = lookUp(direct)
  if (process.env.npm_lifecycle_event && !/\bnpm\b/.test(command) && /\bnpm\b/.test(lookUp(parent).command)) {
    return [direct, parent]
  }
  return [direct]
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

/**
 * Calls `then` when the process that started this one is gone, npm included: an npm that is killed with SIGKILL leaves
 * its shell behind, and this process with it. A process started directly from a terminal is watched in the same way.
 */
export function whenOrphaned(then) {
  const watched = starters()
  const direct = process.ppid
  const timer = setInterval(() => {
    if (process.ppid !== direct || !watched.every(isAlive)) {
      clearInterval(timer)
      then()
    }
  }, 1000)
  timer.unref()
}
