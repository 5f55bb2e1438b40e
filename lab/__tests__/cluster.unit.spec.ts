import { spawn, type ChildProcess } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { until } from "../../integration-tests/support/until"
import { load } from "../../scripts/__tests__/load.cjs"

const script = <T>(name: string) => load<T>(join(__dirname, "../cluster", `${name}.mjs`))
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gateway-cluster-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("nginx' configuration", () => {
  type Nginx = { nginxConfiguration(options: Record<string, unknown>): string; UPSTREAM_IDLE_SECONDS: number }
  const place = { folder: "/data/nginx", log: "/data/nginx.log", port: 21_000, stores: [1, 2] }

  it("sends everything to the stores, and waits longer for a move of the sandbox's clock", async () => {
    const text = (await script<Nginx>("nginx")).nginxConfiguration(place)
    const locations = [
      ...text.matchAll(/location (?:~\* )?(\S+) \{\s+(?:proxy_read_timeout (\d+)s;\s+)?proxy_pass (\S+);/g),
    ]
    const [[, clock, seconds], [, rest]] = locations
    for (const path of ["/api/v2/sandbox/clock", "/sandbox/api/v2/sandbox/clock", "/API/V2/sandbox/clock"]) {
      expect([path, new RegExp(clock, "i").test(path)]).toEqual([path, true])
    }
    expect(new RegExp(clock, "i").test("/api/v2/payments/checkout")).toBe(false)
    const [, usual] = /^ {4}proxy_read_timeout (\d+)s;$/m.exec(text) ?? []
    expect(Number(seconds)).toBeGreaterThan(Number(usual))
    expect(rest).toBe("/")
    expect(locations.map(([, , , upstream]) => upstream)).toEqual(["http://stores", "http://stores"])
    expect(text).toMatch(/upstream stores \{\s+server 127\.0\.0\.1:1 .*;\s+server 127\.0\.0\.1:2 /)
  })

  it("never repeats a POST that may have begun, passes the request's id on, and logs no path", async () => {
    const text = (await script<Nginx>("nginx")).nginxConfiguration(place)
    expect(text).toContain("proxy_next_upstream error timeout;")
    expect(text).toContain("proxy_set_header X-Request-Id $request_id_sent;")
    expect(/log_format answered .*/.exec(text)?.[0]).not.toMatch(/\$(request|uri|request_uri|args)\b(?!_)/)
  })

  it("runs its workers as root only for root", async () => {
    const { nginxConfiguration } = await script<Nginx>("nginx")
    expect(nginxConfiguration(place)).not.toMatch(/^user /m)
    expect(nginxConfiguration({ ...place, user: "root root" })).toMatch(/^user root root;$/m)
  })

  it("the processes keep an idle connection longer than nginx does", async () => {
    const { UPSTREAM_IDLE_SECONDS } = await script<Nginx>("nginx")
    const { sharedEnvironment } = await script<Stores>("stores")
    expect(Number(sharedEnvironment(given).GATEWAY_KEEP_ALIVE_TIMEOUT)).toBeGreaterThan(UPSTREAM_IDLE_SECONDS)
  })
})

type Environment = (options: Record<string, unknown>) => Record<string, string>
type Stores = { sharedEnvironment: Environment; ownEnvironment: Environment }
const given = {
  url: "http://127.0.0.1:21000",
  pooled: "postgres://u:p@127.0.0.1:6432/gateway",
  direct: "postgres://u:p@127.0.0.1:5432/gateway",
  redis: "redis://127.0.0.1:6379",
  secrets: { jwt: "j", cookie: "c", encryption_key: "e", metrics: "m" },
}

describe("the environment of stores and workers", () => {
  it("leads through PgBouncer, and around it for what needs a session; what is given overrides it", async () => {
    const { sharedEnvironment } = await script<Stores>("stores")
    expect(sharedEnvironment(given)).toMatchObject({
      DATABASE_URL: given.pooled,
      GATEWAY_DIRECT_DATABASE_URL: given.direct,
      REDIS_URL: given.redis,
      GATEWAY_PUBLIC_URL: given.url,
      GATEWAY_ENCRYPTION_KEYS: "cluster:e",
      GATEWAY_METRICS_TOKEN: "m",
    })
    expect(sharedEnvironment({ ...given, more: { GATEWAY_RATE_LIMIT: "0" } }).GATEWAY_RATE_LIMIT).toBe("0")
  })

  it("gives the metrics of a worker, and of no other process, a port of their own", async () => {
    const { ownEnvironment, sharedEnvironment } = await script<Stores>("stores")
    expect(ownEnvironment({ mode: "worker", port: 1, metricsPort: 2 })).toEqual({
      PORT: "1",
      MEDUSA_WORKER_MODE: "worker",
      GATEWAY_WORKER_PORT: "2",
    })
    expect(ownEnvironment({ mode: "server", port: 1 })).toEqual({ PORT: "1", MEDUSA_WORKER_MODE: "server" })
    expect(sharedEnvironment(given)).not.toHaveProperty("GATEWAY_WORKER_PORT")
  })
})

describe("the secrets of a deployment", () => {
  type State = { readSecrets(home: string): Record<string, string> }

  it("are made once; a file of an earlier version keeps its own and gets those that it lacks", async () => {
    const { readSecrets } = await script<State>("state")
    const { metrics, ...older } = readSecrets(folder)
    expect(metrics.length).toBeGreaterThanOrEqual(24)
    writeFileSync(join(folder, "secrets.json"), JSON.stringify(older))
    const completed = readSecrets(folder)
    expect(completed).toEqual({ ...older, metrics: expect.any(String) })
    expect(readSecrets(folder)).toEqual(completed)
  })
})

describe("the ports of a deployment", () => {
  type Deployment = { NAMES: string[]; claimPorts(wanted: number): Promise<Claimed> }
  type Claimed = { ports: Record<string, number>; release(): void }

  it("begin with nginx' and end with those of the workers' metrics, so that no other one depends on them", async () => {
    const { NAMES, claimPorts } = await script<Deployment>("deployment")
    const { ports, release } = await claimPorts(25_000)
    release()
    const chosen = Object.keys(ports)
    expect(chosen.slice(0, NAMES.length).sort()).toEqual([...NAMES].sort())
    expect(chosen.slice(NAMES.length)).toEqual(["worker-1 metrics", "worker-2 metrics"])
    expect(chosen[0]).toBe("nginx")
    expect(Object.values(ports)).toEqual([...new Set(Object.values(ports))].sort((a, b) => a - b))
  })

  it("are no other deployment's, though its processes may be killed at this moment, until it ends", async () => {
    const { claimPorts } = await script<Deployment>("deployment")
    const [one, other] = [await claimPorts(26_000), await claimPorts(26_000)]
    one.release()
    const third = await claimPorts(26_000)
    expect(one.ports["worker-2 metrics"]).toBeLessThan(other.ports.nginx)
    expect(third.ports.nginx).toBe(one.ports.nginx)
    other.release()
    third.release()
  })
})

describe("PgBouncer's configuration", () => {
  type Pgbouncer = {
    pgbouncerConfiguration(options: Record<string, unknown>): string
    userLine(name: string, password: string): string
  }

  it("pools transactions of one database, and refuses no start of a connection of pg", async () => {
    const { pgbouncerConfiguration } = await script<Pgbouncer>("pgbouncer")
    const place = { port: 6432, server: 5432, database: "gateway", admin: "postgres", users: "/data/users.txt" }
    const text = pgbouncerConfiguration(place)
    expect(text).toContain("gateway = host=127.0.0.1 port=5432 dbname=gateway")
    expect(text).toMatch(/^listen_port = 6432$/m)
    expect(text).toMatch(/^pool_mode = transaction$/m)
    const [, ignored] = /^ignore_startup_parameters = (.*)$/m.exec(text) ?? []
    // What pg may send besides user, database, application_name and client_encoding, which PgBouncer keeps track of.
    expect(ignored.split(",")).toEqual(
      expect.arrayContaining(["idle_in_transaction_session_timeout", "statement_timeout", "lock_timeout"])
    )
  })

  it("quotes a password", async () => {
    expect((await script<Pgbouncer>("pgbouncer")).userLine("store", 'a"b c')).toBe('"store" "a""b c"\n')
  })
})

describe("a replica", () => {
  it("follows the primary's address", async () => {
    type Postgres = { standbySettings(url: string): string }
    const { standbySettings } = await script<Postgres>("postgres")
    expect(standbySettings("postgres://postgres:s3-cret_@localhost:21007/gateway")).toBe(
      "primary_conninfo = 'host=127.0.0.1 port=21007 user=postgres password=s3-cret_ application_name=replica'\n"
    )
  })
})

describe("programs", () => {
  type Programs = { findPrograms(env: Record<string, string>, find: (names: string[]) => string | null): object }

  it("names each missing one with its package", async () => {
    const { findPrograms } = await script<Programs>("programs")
    const find = (names: string[]) => (names[0] === "redis-server" ? "/usr/bin/redis-server" : null)
    expect(() => findPrograms({}, find)).toThrow(
      /nginx, pgbouncer.*\n\n {2}apt-get install .* nginx-light pgbouncer\n/s
    )
  })

  it("takes the path that a variable gives, and else the one of Debian", async () => {
    const { findPrograms } = await script<Programs>("programs")
    const asked: string[][] = []
    findPrograms({ NGINX_PATH: "/opt/nginx" }, (names) => {
      asked.push(names)
      return names[0]
    })
    expect(asked).toContainEqual(["/opt/nginx"])
    expect(asked).toContainEqual(["pgbouncer", "/usr/sbin/pgbouncer"])
  })
})

describe("one deployment for a folder", () => {
  type State = { lock(home: string): () => void }
  let other: ChildProcess | undefined
  afterEach(() => other?.kill("SIGKILL"))

  it("refuses a second one while the first runs, and takes over from one that is gone", async () => {
    const holder = `import(${JSON.stringify(join(__dirname, "../cluster/state.mjs"))}).then(({ lock }) => {
      lock(${JSON.stringify(folder)}); console.log("held"); setInterval(() => {}, 1000) })`
    const child = spawn(process.execPath, ["-e", holder], { stdio: ["ignore", "pipe", "inherit"] })
    other = child
    await new Promise((held) => child.stdout.once("data", held))
    const { lock } = await script<State>("state")
    expect(() => lock(folder)).toThrow(`process ${child.pid}`)
    child.kill("SIGKILL")
    await new Promise((gone) => child.once("exit", gone))
    lock(folder)()
    expect(existsSync(join(folder, "cluster.pid"))).toBe(false)
  })
})

describe("a program of the deployment", () => {
  type Running = { pid: number | null; start(): Promise<void>; kill(): Promise<void>; stop(): Promise<void> }
  type Guard = { stop(): void }
  type Scripts = {
    startGuard(): Guard
    Program: new (settings: Record<string, unknown>, guard: Guard) => Running
  }
  let guard: Guard
  let ends: string[]

  /** A shell with a child of its own; both write their ids. */
  async function shell(line: string, isReady = true): Promise<Running> {
    const scripts = await script<Scripts>("program")
    guard = scripts.startGuard()
    const log = join(folder, "log")
    const written = () => existsSync(log) && /^ready$/m.test(readFileSync(log, "utf8"))
    const command = ["/bin/sh", "-c", line]
    const settings = { name: "shell", command, log, ready: async () => isReady && written() }
    return new scripts.Program({ ...settings, onEnd: (how: string) => ends.push(how) }, guard)
  }
  beforeEach(() => {
    ends = []
  })
  afterEach(() => guard.stop())

  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0)
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
    } catch {
      return false
    }
  }
  const gone = (pid: number) => until(`process ${pid} is gone`, () => !isAlive(pid))

  it("is killed together with its children, and starts again", async () => {
    const program = await shell("sleep 600 & echo child $!; echo ready; wait")
    await program.start()
    const [, child] = /^child (\d+)$/m.exec(readFileSync(join(folder, "log"), "utf8")) ?? []
    const first = program.pid
    await program.kill()
    await gone(Number(child))
    expect(program.pid).toBeNull()
    await program.start()
    expect(program.pid).not.toBe(first)
    await program.kill()
    expect(ends).toEqual([])
  })

  it("is asked to end", async () => {
    const program = await shell("trap 'echo asked; exit 0' TERM; echo ready; while :; do sleep 0.05; done")
    await program.start()
    await program.stop()
    expect(readFileSync(join(folder, "log"), "utf8")).toContain("asked")
  })

  it("says when it ends without being asked", async () => {
    const program = await shell("echo ready; sleep 0.2; exit 3")
    await program.start()
    await gone(program.pid ?? 0)
    await until("the end is reported", () => ends.length > 0)
    expect([ends, program.pid]).toEqual([["exit code 3"], null])
  })

  it("fails with the end of its log when it ends before it is ready", async () => {
    const program = await shell("echo the reason; exit 1", false)
    await expect(program.start()).rejects.toThrow(/shell ended before it was ready.*the reason/s)
    expect(ends).toEqual([])
  })
})
