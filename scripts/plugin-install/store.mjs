import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { Complaint, ROOT, say } from "../lib/console.mjs"
import { anyFreePort } from "../lib/ports.mjs"
import { blockOf, configuration, deployment, environmentFile } from "./own-store-guide.mjs"

const END_WITH_PARENT = join(ROOT, "scripts/lib/end-with-parent.cjs")
/** What Medusa's own starter installs; the versions are those of this repository. */
const STARTER = ["@medusajs/admin-sdk", "@medusajs/cli", "@medusajs/framework", "@medusajs/medusa"]
const STARTER_DEV = ["@swc/core", "@types/node", "react", "react-dom", "ts-node", "typescript"]
/** As the template has it: other packages of Medusa want another one, and npm refuses both without --legacy-peer-deps. */
const TEMPLATE_VERSIONS = { "@medusajs/ui": "4.2.0" }
/** Of a storefront: what the pieces for storefronts are tried and type-checked with. */
const STOREFRONT = ["@medusajs/js-sdk", "@types/react"]

/** Runs a program to its end with its output in a log, and returns the output. An error contains the last lines. */
export async function run(program, args, options) {
  const { out, err } = await runBoth(program, args, options)
  return out + err
}

/** The same; returns what a program prints for other programs, without its error output. */
async function output(program, args, options) {
  return (await runBoth(program, args, options)).out
}

/** Without what would stand before the store's own `.env`. */
function outerEnvironment() {
  const given = Object.entries(process.env)
  return Object.fromEntries(given.filter(([name]) => !["DATABASE_URL", "NODE_ENV"].includes(name)))
}

async function runBoth(program, args, { cwd, env = {}, log }) {
  const [command, first] =
    program === "npm" && process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : [program, []]
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: { ...outerEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const printed = { out: "", err: "" }
  child.stdout.on("data", (chunk) => (printed.out += chunk))
  child.stderr.on("data", (chunk) => (printed.err += chunk))
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  const all = printed.out + printed.err
  fs.appendFileSync(log, all)
  if (code !== 0) {
    throw new Complaint(`${program} ${args.join(" ")} failed (${code}):\n${all.split("\n").slice(-40).join("\n")}`)
  }
  return printed
}

/** Writes an empty store as `create-medusa-app` creates it, without its packages: a workspace, and the store in it. */
function writeStore(root, folder) {
  const { devDependencies, dependencies } = JSON.parse(fs.readFileSync(join(ROOT, "package.json"), "utf8"))
  const versions = (names) =>
    Object.fromEntries(names.map((name) => [name, devDependencies[name] ?? dependencies[name]]))
  fs.mkdirSync(join(folder, "src/scripts"), { recursive: true })
  const manifest = {
    name: "a-store",
    version: "0.0.1",
    private: true,
    dependencies: { ...versions(STARTER), ...TEMPLATE_VERSIONS },
    devDependencies: versions([...STARTER_DEV, ...STOREFRONT]),
  }
  fs.writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2))
  const workspace = { name: "my-store", private: true, workspaces: ["apps/**", "!apps/backend/.medusa/**"] }
  fs.writeFileSync(join(root, "package.json"), JSON.stringify(workspace, null, 2))
  fs.copyFileSync(join(ROOT, ".npmrc"), join(root, ".npmrc"))
  fs.copyFileSync(join(ROOT, "tsconfig.json"), join(folder, "tsconfig.json"))
  fs.writeFileSync(join(folder, "medusa-config.ts"), STARTER_CONFIGURATION)
  fs.writeFileSync(join(folder, "src/scripts/run-workflow.ts"), RUN_WORKFLOW)
  fs.mkdirSync(join(folder, "src/api"))
  fs.writeFileSync(join(folder, "src/api/middlewares.ts"), MIDDLEWARES)
}

/** As `create-medusa-app` writes it. */
const STARTER_CONFIGURATION = `import { loadEnv, defineConfig } from '@medusajs/framework/utils'

loadEnv(process.env.NODE_ENV || 'development', process.cwd())

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: process.env.STORE_CORS!,
      adminCors: process.env.ADMIN_CORS!,
      authCors: process.env.AUTH_CORS!,
      jwtSecret: process.env.JWT_SECRET || "supersecret",
      cookieSecret: process.env.COOKIE_SECRET || "supersecret",
    }
  }
})
`

/** As docs/hosts.md, Middlewares, shows it. */
const MIDDLEWARES = `import { defineMiddlewares } from "@medusajs/framework/http"
import { beforeGateway } from "medusa-payment-gateway/front-door"

beforeGateway((request, response, next) => {
  if (request.headers["x-blocked"]) {
    response.writeHead(403).end()
    return
  }
  next()
})

export default defineMiddlewares({ routes: [] })
`

/** As a host imports it: what the package exports, with a container of `medusa exec`. */
const RUN_WORKFLOW = `
import type { Acquirer } from "medusa-payment-gateway/acquirers"
import { runAcquirerTests, type AcquirerStandIn } from "medusa-payment-gateway/acquirer-tests"
import * as workflows from "medusa-payment-gateway/workflows"

export const flow: Acquirer["flow"] = "redirect"
const nowhere = { url: "http://127.0.0.1:9", movements: () => [], secrets: [] } as Partial<AcquirerStandIn>

export default async function runWorkflow({ container }: { container: any }) {
  const input = { subscription_id: "00000000-0000-4000-8000-000000000000" }
  const { errors } = await workflows.pauseGatewaySubscriptionWorkflow(container).run({ input, throwOnError: false })
  console.log("CODE=" + errors[0].error.code)
  const [{ outcome }] = await runAcquirerTests(nowhere as AcquirerStandIn, ["exact_amounts"])
  console.log("PROMISE=" + outcome)
  console.log("CONNECTED=" + Object.keys(container.resolve("gateway").storePort.connected.tasks).length)
}
`

/**
 * Makes the store of docs/own-store.md with the guide's own commands, and lets `init` set it up once more from the
 * template's configuration. Answers `{ url, apiKey, seeded, admin, root, folder, built, workflow, init, require(),
 * gateway(), output(), stop() }`: `root` is the workspace and `folder` the store in it, `workflow` and `seeded` are what
 * commands printed, `init` what the command has reported, `gateway` runs the package's command line in the store's folder.
 */
export async function makeStore({ root, tarball, databaseUrl }) {
  const folder = join(root, "apps/backend")
  writeStore(root, folder)
  const port = await anyFreePort()
  const log = join(folder, "store.log")
  const env = { MEDUSA_DISABLE_TELEMETRY: "true", npm_config_prefer_offline: "true", npm_config_audit: "false" }
  const follow = (commands) => run("bash", ["-euo", "pipefail", "-c", commands], { cwd: folder, log, env })
  const require = createRequire(join(folder, "package.json"))

  say("installing Medusa into an empty store, and then the plugin ...")
  await run("npm", ["install", "--legacy-peer-deps"], { cwd: root, log, env })
  const packed = join(root, "../medusa-payment-gateway")
  fs.mkdirSync(packed)
  fs.copyFileSync(tarball, join(packed, basename(tarball)))
  await follow(blockOf(2, "sh", "vendor"))
  say("making its configuration and its database ...")
  fs.writeFileSync(join(folder, "medusa-config.ts"), configuration())
  fs.writeFileSync(join(folder, ".env"), environmentFile({ databaseUrl, port }))
  const users = blockOf(4, "sh", "medusa user")
  await follow(users)
  const [, email, password] = /medusa user -e (\S+) -p (\S+)/.exec(users)
  const gateway = (...args) =>
    output("npm", ["exec", "--no", "--", "medusa-payment-gateway", ...args], { cwd: folder, env, log })
  const init = await setUpAgain(folder, gateway)
  say("making something to sell ...")
  const seeds = blockOf(5, "sh", "region add")
  // Twice: they must change nothing the second time.
  const seeded = [await follow(seeds), await follow(seeds)]
  const workflow = await follow("npx medusa exec ./src/scripts/run-workflow.ts")
  say("building the store with its admin ...")
  await follow(deployment())
  const built = join(folder, ".medusa/server")
  // Without installing: whether npm finds versions that fit.
  await run("bash", ["-euo", "pipefail", "-c", blockOf(6, "sh", "--omit=dev")], {
    cwd: built,
    log,
    env: { ...env, npm_config_package_lock_only: "true" },
  })
  const cli = join(dirname(require.resolve("@medusajs/cli/package.json")), "cli.js")
  const { stop, output: printed } = await start({ cli, built, env: { ...env, NODE_ENV: "production" }, port })
  const admin = { email, password }
  const url = `http://localhost:${port}`
  const made = { url, apiKey: init.key.key, seeded, admin, root, folder, built, workflow, init }
  return { ...made, require, gateway, output: printed, stop }
}

/** What `init` makes of the template's configuration and a `.env` without secrets; the guide's configuration stays. */
async function setUpAgain(folder, gateway) {
  say("setting the gateway up with npm exec --no -- medusa-payment-gateway init ...")
  const paths = { configuration: join(folder, "medusa-config.ts"), env: join(folder, ".env") }
  const guided = fs.readFileSync(paths.configuration, "utf8")
  fs.writeFileSync(paths.configuration, STARTER_CONFIGURATION)
  const withoutSecrets = fs.readFileSync(paths.env, "utf8").replace(/^(GATEWAY_ENCRYPTION_KEYS|\w+_SECRET)=.*\n/gm, "")
  fs.writeFileSync(paths.env, withoutSecrets)
  const report = JSON.parse(await gateway("init", "--yes", "--json"))
  const written = fs.readFileSync(paths.configuration, "utf8")
  const again = JSON.parse(await gateway("init", "--yes", "--json"))
  fs.writeFileSync(paths.configuration, guided)
  return { ...report, written, again }
}

async function start({ cli, built, env, port }) {
  say("starting the store ...")
  const args = ["--require", END_WITH_PARENT, cli, "start", "--host", "localhost", "--port", String(port)]
  const child = spawn(process.execPath, args, {
    cwd: built,
    env: { ...outerEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  const ended = new Promise((resolve) => child.once("exit", resolve))
  const stop = async () => {
    child.kill("SIGTERM")
    const timer = setTimeout(() => child.kill("SIGKILL"), 15_000)
    await ended
    clearTimeout(timer)
  }
  for (const deadline = Date.now() + 120_000; Date.now() < deadline;) {
    if (child.exitCode !== null) {
      throw new Complaint(`the store with the plugin did not start:\n${output.slice(-4000)}`)
    }
    const healthy = await fetch(`http://localhost:${port}/health`).then(
      (response) => response.ok,
      () => false
    )
    if (healthy) {
      return { stop, output: () => output }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await stop()
  throw new Complaint(`the store with the plugin did not answer:\n${output.slice(-4000)}`)
}
