import { join } from "node:path"
import { compiledStore } from "../../scripts/lib/compiled-store.mjs"
import { Complaint, ROOT, say } from "../../scripts/lib/console.mjs"
import { claimPort, nextFreePort } from "../../scripts/lib/ports.mjs"
import { nginx } from "./nginx.mjs"
import { pgbouncer } from "./pgbouncer.mjs"
import { DATABASE, startPair } from "./postgres.mjs"
import { Program, startGuard } from "./program.mjs"
import { findPrograms } from "./programs.mjs"
import { redis } from "./redis.mjs"
import { forget, lock, readSecrets } from "./state.mjs"
import { sharedEnvironment, store } from "./stores.mjs"

/** What runs, in the order of its start; the proxy comes last, when there is something to send requests to. */
export const NAMES = ["primary", "replica", "redis", "pgbouncer", "store-1", "store-2", "worker-1", "worker-2", "nginx"]
const STORES = ["store-1", "store-2"]
const WORKERS = ["worker-1", "worker-2"]
const portOfMetrics = (worker) => `${worker} metrics`
/** Below the ports that Linux gives to connections: one of those may be taken at any moment. */
const FIRST_PORT = 21_000
/**
 * Each deployment has a range of ports, which begins with nginx' and ends with one that says that the range is in use. The
 * port of a process that was killed is free until it comes back, and another deployment must not take it meanwhile.
 */
const RANGE = 32
const RANGES = 50

/**
 * Starts a whole deployment on this machine and waits until it answers: nginx before two stores, two workers, Redis,
 * PgBouncer in transaction mode, a PostgreSQL server and its streaming replica. All of it ends with this process, however
 * that ends.
 * @param options.home folder of its data, logs and secrets
 * @param options.fresh deletes the data of earlier starts
 * @param options.port where nginx listens; the other ports follow. When another deployment uses them, the next range
 * @param options.env environment variables of stores and workers that override the deployment's
 * @param options.envOf `(name) => ({ ... })`: further ones of one of them
 * @param options.reach `async (name, port) => port`: the port where the others reach `primary` and `redis`; chaos puts a
 * connection between them that it can break. Default: the process's own
 * @param options.onEnd called with `(name, exit code or signal)` when a process ends without having been asked to
 * @param options.print for progress
 * @param running list that receives what stops what runs, for a start that is interrupted
 * @returns `{ home, url, base_url, secrets, environment(name), processes, addresses, stop() }`; `environment` of a process
 * of ours; `processes` by name, each with `pid`, `role`, `port`, `log`, `kill()` (kill -9), `stop()`, `start()` and
 * `restart()`, those of ours also `metrics` (address) and `deploy(folder)`; `addresses` of the database: `pooled`, `direct`, `replica`
 */
export async function startCluster(
  { home = join(ROOT, ".cluster"), fresh, port, env, envOf, reach, onEnd, print = say } = {},
  running = []
) {
  const programs = findPrograms()
  const release = lock(home)
  const guard = startGuard()
  running.push({ stop: async () => release() }, { stop: async () => guard.stop() })
  const stop = async () => {
    for (const one of running.splice(0).reverse()) {
      await one.stop()
    }
  }
  try {
    const place = { home, guard, programs, print, log: (name) => join(home, "logs", `${name}.log`) }
    const ended = (name) => (how) => onEnd?.(name, how)
    return { ...(await startAll({ ...place, fresh, port, more: env, envOf, reach, ended }, running)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAll(
  { home, guard, programs, print, log, fresh, port, more, envOf = () => ({}), reach = (_, own) => own, ended },
  running
) {
  const { ports, release } = await claimPorts(port)
  running.push({ stop: async () => release() })
  print("starting PostgreSQL and its replica")
  const { primary, replica, isNew } = await startPair({ home, ports, fresh, print, onEnd: ended }, running)
  if (isNew) {
    forget(home)
  }
  const secrets = readSecrets(home)
  const processes = { primary, replica }
  const made = (name, settings) => (processes[name] = new Program({ name, ...settings, onEnd: ended(name) }, guard))
  const start = async (...group) => {
    running.push({ stop: () => Promise.all(group.map((one) => one.stop())) })
    await Promise.all(group.map((one) => one.start()))
  }
  const given = (name) => ({ port: ports[name], log: log(name) })
  print("starting Redis and PgBouncer")
  const direct = withPort(primary.url(), await reach("primary", ports.primary))
  const bouncer = { folder: join(primary.where, "pgbouncer"), user: primary.user, url: direct }
  await start(
    made("redis", redis({ ...given("redis"), program: programs["redis-server"], folder: join(home, "redis") })),
    made("pgbouncer", pgbouncer({ ...given("pgbouncer"), program: programs.pgbouncer, ...bouncer }))
  )
  const url = `http://127.0.0.1:${ports.nginx}`
  const addresses = { pooled: withPort(primary.url(), ports.pgbouncer), direct, replica: replica.url() }
  const shared = { url, ...addresses, redis: `redis://127.0.0.1:${await reach("redis", ports.redis)}`, secrets }
  const environment = (name) => sharedEnvironment({ ...shared, more: { ...more, ...envOf(name) } })
  const own = (name) => ({ ...given(name), env: environment(name) })
  print("starting two stores and two workers (about half a minute) ...")
  compiledStore()
  await start(
    ...STORES.map((name) => made(name, store({ ...own(name), mode: "server" }))),
    ...WORKERS.map((name) =>
      made(name, store({ ...own(name), mode: "worker", metricsPort: ports[portOfMetrics(name)] }))
    )
  )
  const stores = STORES.map((name) => ports[name])
  await start(made("nginx", nginx({ ...given("nginx"), program: programs.nginx, folder: join(home, "nginx"), stores })))
  const inOrder = Object.fromEntries(NAMES.map((name) => [name, processes[name]]))
  return { home, url, base_url: `${url}/api/v2`, secrets, addresses, environment, processes: inOrder }
}

/**
 * A range of ports that no other deployment uses, at or after `wanted`.
 * @returns `{ ports, release }`; `ports` by name: a port for each process, `nginx` first, and last one for the metrics of
 * each worker
 */
export async function claimPorts(wanted = FIRST_PORT) {
  for (let first = wanted; first < wanted + RANGES * RANGE; first += RANGE) {
    const release = await claimPort(first + RANGE - 1)
    if (release !== null) {
      return { ports: await choosePorts(first), release }
    }
  }
  throw new Complaint(`${RANGES} ranges of ${RANGE} ports from ${wanted} on are in use. Choose another one with PORT.`)
}

async function choosePorts(first) {
  const ports = {}
  let next = first
  for (const name of ["nginx", ...NAMES.filter((one) => one !== "nginx"), ...WORKERS.map(portOfMetrics)]) {
    ports[name] = await nextFreePort(next)
    next = ports[name] + 1
  }
  return ports
}

function withPort(url, port) {
  const changed = new URL(url)
  changed.hostname = "127.0.0.1"
  changed.port = String(port)
  changed.pathname = `/${DATABASE}`
  return changed.toString()
}
