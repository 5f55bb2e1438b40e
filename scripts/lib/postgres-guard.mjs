/*
 * Keeps one PostgreSQL server for the process that started this one, and never outlives it: the two are tied by
 * a pipe, which the system closes however the other one ends, kill -9 included. Runs in its own session, so that
 * Ctrl-C in the terminal does not stop the database while the store is still closing its connections.
 *
 * argv[2]: JSON { program, stopper, data, port, owner, flags, removeAtEnd }
 * stdin:   "stop" stops at once; end of file waits up to 15 seconds for clients to leave first
 * stdout:  "ready", once connections are accepted
 */
import { spawn, spawnSync } from "node:child_process"
import { rmSync } from "node:fs"

const { program, stopper, data, port, owner, flags, removeAtEnd } = JSON.parse(process.argv[2])

// Writes to a log or a pipe whose reader has gone must not end the guard before the server has stopped.
process.stdout.on("error", () => {})
process.stderr.on("error", () => {})
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => stop("fast"))
}

const server = spawn(program, ["-D", data, "-p", String(port), ...flags.flatMap((flag) => ["-c", flag])], {
  ...owner,
  cwd: data,
  stdio: ["ignore", "ignore", "pipe"],
})

let seen = ""
server.stderr.on("data", (chunk) => {
  process.stderr.write(chunk)
  if (seen === null) {
    return
  }
  seen = (seen + chunk).slice(-4096)
  // A replica accepts "read-only connections".
  if (/database system is ready to accept (read-only )?connections/.test(seen)) {
    seen = null
    process.stdout.write("ready\n")
  }
})

server.on("error", (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
server.on("exit", (code) => {
  if (removeAtEnd) {
    rmSync(removeAtEnd, { recursive: true, force: true })
  }
  process.exit(code ?? 1)
})

function stop(mode) {
  const wait = mode === "smart" ? "15" : "30"
  const { status } = spawnSync(stopper, ["stop", "-D", data, "-m", mode, "-t", wait, "-w"], {
    ...owner,
    cwd: data,
    stdio: "ignore",
  })
  if (status !== 0 && mode === "smart") {
    stop("fast")
  } else if (status !== 0) {
    server.kill("SIGQUIT")
  }
}

let asked = false
process.stdin.on("data", (chunk) => {
  if (String(chunk).includes("stop")) {
    asked = true
    stop("fast")
  }
})
process.stdin.on("end", () => !asked && stop("smart"))
process.stdin.on("error", () => !asked && stop("smart"))
