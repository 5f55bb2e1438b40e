import { randomBytes } from "node:crypto"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
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
export async function run(program, args, { cwd, env = {}, log }) {
  const [command, first] =
    program === "npm" && process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : [program, []]
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  fs.appendFileSync(log, output)
  if (code !== 0) {
    throw new Complaint(`${program} ${args.join(" ")} failed (${code}):\n${output.split("\n").slice(-40).join("\n")}`)
  }
  return output
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
  fs.writeFileSync(join(folder, "medusa-config.ts"), shownConfiguration())
  fs.writeFileSync(join(folder, "src/scripts/make-key.ts"), MAKE_KEY)
  fs.writeFileSync(join(folder, "src/scripts/run-workflow.ts"), RUN_WORKFLOW)
}

const MAKE_KEY = `
export default async function makeKey({ container }: { container: { resolve(name: string): any } }) {
  const gateway = container.resolve("gateway")
  const merchant = await gateway.merchants.create({ name: "A merchant" })
  const { key } = await gateway.apiKeys.create({ merchant_id: merchant.id, environment: "sandbox", name: "Test" })
  console.log("API_KEY=" + key)
  const store = await gateway.merchants.storeMerchant(gateway.options.storeMerchantName)
  const own = await gateway.apiKeys.create({ merchant_id: store.id, environment: "sandbox", name: "Test" })
  console.log("STORE_KEY=" + own.key)
}
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

/** Makes, installs, migrates, builds and starts the store. Answers `{ url, apiKey, storeKey, seeded, admin, folder, built, workflow, output(), stop() }`; `workflow` and `seeded` are what scripts printed. */
export async function makeStore({ folder, tarball, databaseUrl, adminUrl }) {
  writeStore(folder, tarball)
  const port = await anyFreePort()
  const admin = { email: "admin@example.com", password: "a-password-for-one-test" }
  const env = {
    DATABASE_URL: databaseUrl,
    GATEWAY_ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
    JWT_SECRET: "jwt-secret-of-the-test",
    COOKIE_SECRET: "cookie-secret-of-the-test",
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
  say("migrating the store ...")
  await createDatabase(adminUrl, new URL(databaseUrl).pathname.slice(1))
  await medusa(["db:migrate", "--execute-all-links"])
  await medusa(["user", "-e", admin.email, "-p", admin.password])
  const keys = await medusa(["exec", "./src/scripts/make-key.ts"])
  const [apiKey, storeKey] = ["API_KEY", "STORE_KEY"].map((name) => new RegExp(`${name}=(\\S+)`).exec(keys)?.[1])
  // Twice: they must change nothing the second time.
  const seeded = []
  for (const script of ["add-bdt-region", "add-sample-product", "add-bdt-region", "add-sample-product"]) {
    seeded.push(await medusa(["exec", `./${PLUGIN}/.medusa/server/src/scripts/${script}.js`]))
  }
  const workflow = await medusa(["exec", "./src/scripts/run-workflow.ts"])
  say("building the store with its admin ...")
  await medusa(["build"], { NODE_ENV: "production" })
  const built = join(folder, ".medusa/server")
  const { stop, output } = await start({ cli, built, env: { ...env, NODE_ENV: "production" }, port })
  return { url: `http://localhost:${port}`, apiKey, storeKey, seeded, admin, folder, built, stop, output, workflow }
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
