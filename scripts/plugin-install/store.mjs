import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { Complaint, ROOT, say } from "../lib/console.mjs"
import { createDatabase } from "../lib/database.mjs"
import { anyFreePort } from "../lib/ports.mjs"

const PLUGIN = "node_modules/medusa-payment-gateway"
const END_WITH_PARENT = join(ROOT, "scripts/lib/end-with-parent.cjs")
/** What Medusa's own starter installs; the versions are those of this repository. */
const STARTER = ["@medusajs/admin-sdk", "@medusajs/cli", "@medusajs/framework", "@medusajs/medusa"]
const STARTER_DEV = ["@swc/core", "@types/node", "react", "react-dom", "ts-node", "typescript"]
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

async function runBoth(program, args, { cwd, env = {}, log }) {
  const [command, first] =
    program === "npm" && process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : [program, []]
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: { ...process.env, ...env },
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

/** The configuration that the README shows for a store that installs the plugin: the test uses what people read. */
function shownConfiguration() {
  const readme = fs.readFileSync(join(ROOT, "README.md"), "utf8")
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code)
  const shown = blocks.find((code) => code.includes("defineConfig") && code.includes("medusa-payment-gateway"))
  if (!shown) {
    throw new Complaint("README.md shows no medusa-config.ts with the plugin (a block of ts with defineConfig in it)")
  }
  return shown
}

/** Writes an empty store as `create-medusa-app` creates it, with the plugin's tarball as a dependency. */
function writeStore(folder, tarball) {
  const { devDependencies, dependencies } = JSON.parse(fs.readFileSync(join(ROOT, "package.json"), "utf8"))
  const versions = (names) =>
    Object.fromEntries(names.map((name) => [name, devDependencies[name] ?? dependencies[name]]))
  fs.mkdirSync(join(folder, "src/scripts"), { recursive: true })
  const manifest = {
    name: "a-store",
    version: "0.0.1",
    private: true,
    dependencies: { ...versions(STARTER), "medusa-payment-gateway": `file:${tarball}` },
    devDependencies: versions([...STARTER_DEV, ...STOREFRONT]),
  }
  fs.writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2))
  fs.copyFileSync(join(ROOT, ".npmrc"), join(folder, ".npmrc"))
  fs.copyFileSync(join(ROOT, "tsconfig.json"), join(folder, "tsconfig.json"))
  fs.writeFileSync(join(folder, "medusa-config.ts"), STARTER_CONFIGURATION)
  fs.writeFileSync(join(folder, "src/scripts/run-workflow.ts"), RUN_WORKFLOW)
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

/** As a host imports it: what the package exports, with a container of `medusa exec`. */
const RUN_WORKFLOW = `
import * as workflows from "medusa-payment-gateway/workflows"

export default async function runWorkflow({ container }: { container: any }) {
  const input = { subscription_id: "00000000-0000-4000-8000-000000000000" }
  const { errors } = await workflows.pauseGatewaySubscriptionWorkflow(container).run({ input, throwOnError: false })
  console.log("CODE=" + errors[0].error.code)
  console.log("CONNECTED=" + Object.keys(container.resolve("gateway").storePort.connected.tasks).length)
}
`

/**
 * Makes and installs the store, sets the gateway up by its own command, builds and starts the store. Answers
 * `{ url, apiKey, seeded, admin, folder, built, workflow, init, gateway(), output(), stop() }`: `workflow` and `seeded`
 * are what scripts printed, `init` what the command has reported, `gateway` runs the package's command line in the
 * store's folder.
 */
export async function makeStore({ folder, tarball, databaseUrl, adminUrl }) {
  writeStore(folder, tarball)
  const port = await anyFreePort()
  const admin = { email: "admin@example.com", password: "a-password-for-one-test" }
  const env = {
    DATABASE_URL: databaseUrl,
    GATEWAY_PUBLIC_URL: `http://localhost:${port}`,
    STORE_CORS: "http://localhost:8000",
    ADMIN_CORS: `http://localhost:${port}`,
    AUTH_CORS: `http://localhost:8000,http://localhost:${port}`,
    MEDUSA_DISABLE_TELEMETRY: "true",
    PORT: String(port),
  }
  const log = join(folder, "store.log")
  const cli = join(folder, "node_modules/@medusajs/cli/cli.js")
  const medusa = (args, extra = {}) =>
    run(process.execPath, [cli, ...args], { cwd: folder, log, env: { ...env, ...extra } })

  say("installing the plugin and Medusa into an empty store ...")
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, log })
  say("setting the gateway up with npx medusa-payment-gateway init ...")
  await createDatabase(adminUrl, new URL(databaseUrl).pathname.slice(1))
  const program = join(folder, "node_modules/.bin/medusa-payment-gateway")
  const gateway = (...args) => output(program, args, { cwd: folder, env, log })
  const { configuration, variables, key } = JSON.parse(await gateway("init", "--yes", "--json"))
  const written = fs.readFileSync(join(folder, "medusa-config.ts"), "utf8")
  const init = { configuration, variables, written, again: JSON.parse(await gateway("init", "--yes", "--json")) }
  // The built store is started in another folder, which has no .env.
  Object.assign(env, parseEnv(fs.readFileSync(join(folder, ".env"), "utf8")))
  fs.writeFileSync(join(folder, "medusa-config.ts"), shownConfiguration())
  await medusa(["user", "-e", admin.email, "-p", admin.password])
  // Twice: they must change nothing the second time.
  const seeded = []
  for (const script of ["add-bdt-region", "add-sample-product", "add-bdt-region", "add-sample-product"]) {
    seeded.push(await medusa(["exec", `./${PLUGIN}/.medusa/server/src/scripts/${script}.js`]))
  }
  const workflow = await medusa(["exec", "./src/scripts/run-workflow.ts"])
  say("building the store with its admin ...")
  await medusa(["build"], { NODE_ENV: "production" })
  const built = join(folder, ".medusa/server")
  const { stop, output: printed } = await start({ cli, built, env: { ...env, NODE_ENV: "production" }, port })
  const url = `http://localhost:${port}`
  return { url, apiKey: key.key, seeded, admin, folder, built, stop, output: printed, workflow, init, gateway }
}

async function start({ cli, built, env, port }) {
  say("starting the store ...")
  const args = ["--require", END_WITH_PARENT, cli, "start", "--host", "localhost", "--port", String(port)]
  const child = spawn(process.execPath, args, {
    cwd: built,
    env: { ...process.env, ...env },
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
