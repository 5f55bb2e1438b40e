import { connect } from "node:net"
import { Complaint } from "../../scripts/lib/console.mjs"
import { findProgram } from "../../scripts/lib/programs.mjs"

/** What the deployment needs besides Node: where Debian puts it, and in which package. */
const NEEDED = {
  nginx: { variable: "NGINX_PATH", usual: "/usr/sbin/nginx", debian: "nginx-light" },
  pgbouncer: { variable: "PGBOUNCER_PATH", usual: "/usr/sbin/pgbouncer", debian: "pgbouncer" },
  "redis-server": { variable: "REDIS_SERVER_PATH", usual: "/usr/bin/redis-server", debian: "redis-server" },
}

/** The paths of the programs by name. Throws a Complaint that names every missing one and its package. */
export function findPrograms(env = process.env, find = findProgram) {
  const found = Object.entries(NEEDED).map(([name, { variable, usual }]) => {
    // Debian's folder for servers is not on the PATH of every user.
    return [name, find(env[variable] ? [env[variable]] : [name, usual])]
  })
  const missing = found.filter(([, path]) => path === null).map(([name]) => name)
  if (missing.length > 0) {
    const packages = missing.map((name) => NEEDED[name].debian).join(" ")
    const paths = missing.map((name) => NEEDED[name].variable).join(", ")
    throw new Complaint(
      `Not installed: ${missing.join(", ")}. On Debian and Ubuntu:\n\n` +
        `  apt-get install --no-install-recommends ${packages}\n\nElsewhere, set their paths: ${paths}.`
    )
  }
  return Object.fromEntries(found)
}

/** Whether something accepts connections at this port of this machine. */
export function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" })
    const done = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once("connect", () => done(true))
    socket.once("error", () => done(false))
  })
}
