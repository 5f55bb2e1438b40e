/*
 * Ends the programs of a deployment when the process that started them is gone, kill -9 included: the two are tied by a
 * pipe, which the system closes however the other one ends. PostgreSQL has a guard of its own, and processes of Node end
 * on their own (lib/end-with-parent.cjs): this one is for programs that know nothing of a parent.
 *
 * stdin: "+PID" once a program has started, "-PID" once it has ended, a line each; each PID leads a process group
 */
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"

const GRACE_MS = 5_000
const groups = new Set()

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {})
}

function signalAll(signal) {
  for (const pid of groups) {
    try {
      process.kill(-pid, signal)
    } catch {
      groups.delete(pid)
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1))
  groups[line.startsWith("+") ? "add" : "delete"](pid)
}
signalAll("SIGTERM")
for (const deadline = Date.now() + GRACE_MS; groups.size > 0 && Date.now() < deadline; await sleep(50)) {
  signalAll(0)
}
signalAll("SIGKILL")
