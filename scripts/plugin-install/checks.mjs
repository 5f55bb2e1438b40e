import assert from "node:assert/strict"
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { payOnce, sampleOrder } from "../demo/payment.mjs"
import { ROOT } from "../lib/console.mjs"
import { filesBelow } from "../lib/files.mjs"
import { checkGuide } from "./guide.mjs"
import { run } from "./store.mjs"

const TEXTS = ["LICENSE", "THIRD-PARTY-LICENSES.txt", "README.md", "CHANGELOG.md"]

/** Checks the contents of the tarball. */
export async function checkPackage(tarball, check) {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n")
  await check("the package holds what the plugin needs", () => {
    for (const path of [
      "modules/gateway/index.js",
      "providers/gateway-payment/index.js",
      "api/middlewares.js",
      "api/reference/renderer.js",
      "workflows/index.js",
      "workflows/connect-store.js",
      "admin/index.mjs",
      "cli/index.js",
      "cli/store/create-key.js",
      "storefront/index.mjs",
      "storefront/next/pay-button.mjs",
      "cli/store/add-region.js",
      "cli/store/add-sample.js",
    ]) {
      assert.ok(files.includes(`package/.medusa/server/src/${path}`), `${path} is missing`)
    }
    assert.ok(
      files.some((path) => path.includes("/modules/gateway/migrations/")),
      "migrations are missing"
    )
    for (const path of [...TEXTS, "docs/own-store.md", "docs/storefronts.md"]) {
      assert.ok(files.includes(`package/${path}`), `${path} is missing`)
    }
    for (const path of ["apply.mjs", "README.md", "files/src/app/api/gateway/return/route.ts"]) {
      assert.ok(files.includes(`package/examples/nextjs-starter/${path}`), `${path} of the starter's change is missing`)
    }
  })
  await check("the package holds every route of the sources", () => {
    const routes = filesBelow(join(ROOT, "src/api")).filter((path) => path.endsWith("/route.ts"))
    const wanted = routes.map((path) => `package/.medusa/server${path.slice(ROOT.length, -".ts".length)}.js`)
    assert.ok(wanted.length > 100, "src/api has hardly a route")
    assert.deepEqual(
      wanted.filter((path) => !files.includes(path)),
      []
    )
  })
  await check("every export of the package leads to a file in it", () => {
    const { exports } = JSON.parse(
      execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" })
    )
    const targetsOf = (target) => (typeof target === "string" ? [target] : Object.values(target).flatMap(targetsOf))
    const targets = targetsOf(exports)
    assert.ok(targets.length > 5, "package.json exports hardly anything")
    assert.equal(exports["./workflows"], "./.medusa/server/src/workflows/index.js")
    assert.deepEqual(
      targets.filter((target) => !files.some((file) => isAt(target, file))),
      []
    )
  })
  await check("a storefront with its own versions of what the admin uses can install the package", () =>
    installInStorefront(tarball)
  )
  await check("the package holds no test, no configuration and no source", () => {
    const unwanted = files.filter((path) =>
      /__tests__|\.spec\.|integration-tests|medusa-config|^(?!package\/examples\/).*(?<!\.d)\.tsx?$|\/scripts\/(?!rotate-secrets\.)/.test(
        path
      )
    )
    assert.deepEqual(unwanted, [])
  })
}

/** npm checks optional peers too: a storefront of another Medusa, with other translations, must not be refused. */
async function installInStorefront(tarball) {
  const folder = mkdtempSync(join(tmpdir(), "gateway-storefront-"))
  const dependencies = {
    "@medusajs/icons": "2.18.0",
    i18next: "23.7.11",
    react: "19.0.5",
    "react-dom": "19.0.5",
    "react-i18next": "15.0.0",
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a-storefront", private: true, dependencies }))
  const args = ["install", "--package-lock-only", "--prefer-offline", "--no-audit", "--no-fund", tarball]
  try {
    await run("npm", args, { cwd: folder, log: join(folder, "install.log") })
    const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"))
    assert.equal(packages["node_modules/@medusajs/medusa"], undefined, "a storefront gets no Medusa server")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether an export's target, in which `*` matches any text, is this file of the tarball. */
function isAt(target, file) {
  const [before, after] = `package/${target.replace(/^\.\//, "")}`.split("*")
  return after === undefined
    ? file === before
    : file.startsWith(before) && file.endsWith(after) && file.length > before.length + after.length
}

async function json(url, options) {
  const response = await fetch(url, options)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function signIn({ url, admin }) {
  const { body } = await json(`${url}/auth/user/emailpass`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(admin),
  })
  return { Authorization: `Bearer ${body.token}` }
}

async function checkMiddleware({ url }, check) {
  await check("what the host gives to beforeGateway runs before the gateway's paths, and nowhere else", async () => {
    const statusOf = async (path) => (await fetch(`${url}${path}`, { headers: { "X-Blocked": "1" } })).status
    assert.deepEqual(
      [await statusOf("/api/v2/sandbox"), await statusOf("/pay/x"), await statusOf("/health")],
      [403, 403, 200]
    )
    assert.equal((await fetch(`${url}/api/v2/sandbox`)).status, 200)
  })
}

async function checkWorkspace(store, check) {
  await check(
    "npm has put the package beside the store, not into it, and its program runs from there too",
    async () => {
      assert.ok(existsSync(join(store.root, "node_modules/medusa-payment-gateway/package.json")))
      assert.ok(!existsSync(join(store.folder, "node_modules/medusa-payment-gateway")))
      const args = ["exec", "--no", "-w", "apps/backend", "--", "medusa-payment-gateway", "doctor", "--json"]
      const printed = await run("npm", args, { cwd: store.root, log: join(store.folder, "store.log") })
      assert.ok(JSON.parse(printed.slice(printed.indexOf("{"))).ok)
    }
  )
}

/** Checks what the store with the plugin serves. */
export async function checkServer(store, check) {
  const api = `${store.url}/api/v2`
  await check("POST /api/v2/payments/checkout without a key: 401 API_KEY_MISSING in the contract's shape", async () => {
    const { status, body } = await json(`${api}/payments/checkout`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(sampleOrder("NO-KEY")),
    })
    assert.equal(status, 401)
    assert.equal(body.success, false)
    assert.equal(body.error.code, "API_KEY_MISSING")
    assert.equal(typeof body.error.message, "string")
  })
  await check(
    "init has put the gateway into the configuration, with new secrets and a key; again it changes nothing",
    () => {
      const { configuration, variables, written, again } = store.init
      assert.equal(configuration, "written")
      assert.deepEqual(variables, ["GATEWAY_ENCRYPTION_KEYS", "JWT_SECRET", "COOKIE_SECRET"])
      assert.match(written, /^import \{ withPaymentGateway \} from 'medusa-payment-gateway\/config'$/m)
      assert.match(written, /^module\.exports = defineConfig\(withPaymentGateway\(\{$/m)
      assert.deepEqual([again.configuration, again.variables, again.key.key], ["present", [], null])
    }
  )
  await check("with the key that init has made, a checkout is paid and verified", () =>
    payOnce({ base_url: api, api_key: store.apiKey }, () => {})
  )
  await check("the command line of the package: doctor finds no fault, --help lists the commands", async () => {
    const { ok, checks } = JSON.parse(await store.gateway("doctor", "--json"))
    assert.ok(ok)
    const codes = checks.flatMap(({ findings }) => findings.map(({ code }) => code))
    // Shoppers see cash at once, so a region has it only when somebody asks for it.
    assert.deepEqual(codes, ["CASH_NOT_OFFERED"])
    assert.match(await store.gateway("--help"), /^ {2}doctor /m)
  })
  await checkWorkspace(store, check)
  await checkMiddleware(store, check)
  await check(
    "a workflow of medusa-payment-gateway/workflows runs in medusa exec, and the store is connected there",
    () => {
      assert.match(store.workflow, /CODE=SUBSCRIPTION_NOT_FOUND/)
      assert.match(store.workflow, /CONNECTED=[1-9]/)
      assert.match(store.workflow, /PROMISE=broken/)
    }
  )
  await check("the code of every route loads, and has the handlers that Medusa knows of", () =>
    loadRoutes(join(dirname(store.require.resolve("medusa-payment-gateway/package.json")), ".medusa/server/src/api"))
  )
  await checkGuide(store, check)
  await check("the payment provider pp_gateway_default is listed", async () => {
    const { body } = await json(`${store.url}/admin/payments/payment-providers`, { headers: await signIn(store) })
    const ids = body.payment_providers.map(({ id }) => id)
    assert.ok(ids.includes("pp_gateway_default"), `listed are: ${ids.join(", ")}`)
  })
  await check("the admin is served, with the plugin's pages in it", async () => {
    const page = await fetch(`${store.url}/app`)
    assert.equal(page.status, 200)
    const scripts = readdirSync(join(store.built, "public/admin/assets")).filter((name) => name.endsWith(".js"))
    const code = scripts.map((name) => readFileSync(join(store.built, "public/admin/assets", name), "utf8")).join("\n")
    const routes = adminRoutes()
    assert.ok(routes.length > 0, "src/admin has no page")
    for (const route of routes) {
      assert.ok(code.includes(`"${route}"`), `the built admin knows no page ${route}`)
    }
  })
}

/**
 * A store loads a route's code with its first request: what is missing in the package would show only then. This takes
 * longer than the store keeps an idle connection, so it must not block the closing of one: `fetch` would use it again.
 */
async function loadRoutes(folder) {
  const routes = filesBelow(folder).filter((path) => path.endsWith("/route.js"))
  assert.ok(routes.length > 100, "the package has hardly a route")
  const files = routes.map((path) => [path, path.replace(/route\.js$/, "handlers.js")])
  const program = `
    const pairs = ${JSON.stringify(files)}.map((pair) => pair.map((path) => Object.keys(require(path)).sort()))
    console.log(JSON.stringify(pairs))`
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program])
  for (const [promised, present] of JSON.parse(stdout)) {
    assert.deepEqual(present, promised)
  }
}

/** Addresses of the pages in src/admin/routes, as Medusa's admin names them: `[id]` becomes `:id`. */
function adminRoutes() {
  const routes = join(ROOT, "src/admin/routes")
  return filesBelow(routes)
    .filter((path) => /\/page\.tsx$/.test(path))
    .map((path) => path.slice(routes.length, -"/page.tsx".length).replace(/\[([^\]]+)\]/g, ":$1"))
}
