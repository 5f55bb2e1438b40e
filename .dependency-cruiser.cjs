/*
 * Which file may import which, enforced by `npm run lint`. docs/architecture.md has the same tables for people.
 * Everything is matched by resolved path, so that no spelling of an import gets around it. An import of values and types
 * counts as one of values.
 */
const { SLICES, WORKER_FILES, PARTS } = require("./scripts/lib/architecture.cjs")

const MODULE = "^src/modules/gateway/"
const TESTS = "/__tests__/"
/** Makes a rule one about values: types may be imported. */
const BUT_TYPES = { dependencyTypesNot: ["type-only"] }

/** Files that take what they need as arguments. They are public in every slice. */
const RULES = "[/-](rules|states)\\.ts$"
/** Files of the kernel that write rows, hold a connection, or loop over what is due; the others calculate. */
const STATEFUL = "(audit|connection-loss|counters|database|due-work|hook-calls|outbox|partitions)\\.ts$"

const oneOf = (names) => (names.length > 0 ? `(${names.join("|")})` : "(?!)")
const slices = (names) => `${MODULE}${oneOf(names)}/`
const files = (names) => `${MODULE}${oneOf(names)}\\.ts$`
const rulesOf = (names) => `${MODULE}${oneOf(names)}(?=/).*${RULES}`
const EVERY_SLICE = slices(Object.keys(SLICES))
const PURE_FILES = [
  rulesOf(Object.keys(SLICES)),
  files(Object.entries(SLICES).flatMap(([name, { pure }]) => pure.map((file) => `${name}/${file}`))),
]

/** What other slices may import of these as values. */
const publicOf = (names) => [
  rulesOf(names),
  files(names.flatMap((name) => [...SLICES[name].files, ...SLICES[name].pure].map((file) => `${name}/${file}`))),
]

const sliceRules = Object.entries(SLICES).flatMap(([name, { values, types }]) => {
  const from = { path: `${MODULE}${name}/`, pathNot: TESTS }
  return [
    {
      name: `slice-${name}`,
      comment: "Slices reach each other along the arrows of docs/architecture.md",
      severity: "error",
      from,
      to: {
        path: MODULE,
        pathNot: [`${MODULE}kernel/`, `${MODULE}store-port\\.ts$`, slices([name, ...values, ...types])],
      },
    },
    {
      name: `slice-${name}-values`,
      comment:
        "A slice imports the public files of the slices below it. The container gives it services: of them it needs types",
      severity: "error",
      from,
      to: { path: EVERY_SLICE, pathNot: [`${MODULE}${name}/`, ...publicOf(values)], ...BUT_TYPES },
    },
  ]
})

/** A part of `src` by its name: a folder, or a file with its extension. */
const part = (name) => `^src/${name.replaceAll(".", "\\.")}${name.endsWith(".ts") ? "$" : "/"}`

const partRules = Object.entries(PARTS).flatMap(([name, { imports, types = [], why }]) => {
  const from = { path: part(name), pathNot: TESTS }
  const known = [name, "i18n", ...imports].map(part)
  const rule = { comment: why, severity: "error", from }
  return [
    { ...rule, name: `part-${name}`, to: { path: "^src/", pathNot: [...known, ...types.map(part)] } },
    { ...rule, name: `part-${name}-values`, to: { path: oneOf(types.map(part)), ...BUT_TYPES } },
  ]
})

module.exports = {
  forbidden: [
    { name: "no-circular", comment: "No cycles, types included", severity: "error", from: {}, to: { circular: true } },
    {
      name: "known-slices",
      comment:
        "A folder of the gateway module is the kernel, the worker, Medusa's own, or a slice with declared arrows",
      severity: "error",
      from: { path: MODULE },
      to: {
        path: `${MODULE}[^/]+/`,
        pathNot: [`${MODULE}(kernel|worker|http-server|models|migrations|loaders|__tests__)/`, EVERY_SLICE],
      },
    },
    {
      name: "kernel-alone",
      comment: "The kernel knows none of those that it serves",
      severity: "error",
      from: { path: `${MODULE}kernel/`, pathNot: TESTS },
      to: { path: "^src/", pathNot: [`${MODULE}kernel/`, "^src/i18n/"] },
    },
    {
      name: "http-server-alone",
      comment: "The guards of the store's http server know settings and nothing of money",
      severity: "error",
      from: { path: `${MODULE}http-server/`, pathNot: TESTS },
      to: { path: "^src/", pathNot: [`${MODULE}(http-server|kernel)/`, "^src/i18n/"] },
    },
    {
      name: "rules-are-pure",
      comment:
        "Rules, states and the pure files take what they need as arguments: of the kernel nothing stateful, and no service",
      severity: "error",
      from: { path: [`${MODULE}.*${RULES}`, ...PURE_FILES] },
      to: {
        path: [
          `${MODULE}kernel/.*/${STATEFUL}`,
          `${MODULE}.*/service\\.ts$`,
          "^node_modules/(@medusajs|undici|ioredis|graphile-worker)",
        ],
      },
    },
    {
      name: "rules-without-reads",
      comment: "Rules and states read no row; they may say which rows they take",
      severity: "error",
      from: { path: [`${MODULE}.*${RULES}`, ...PURE_FILES] },
      to: { path: `${MODULE}.*/records\\.ts$`, ...BUT_TYPES },
    },
    ...sliceRules,
    {
      name: "models-are-tables",
      comment: "A model knows the states of its slice, the kernel and the languages, nothing else",
      severity: "error",
      from: { path: `${MODULE}models/` },
      to: {
        path: "^src/",
        pathNot: [`${MODULE}(models|kernel)/`, "^src/i18n/languages\\.ts$", ...PURE_FILES],
      },
    },
    {
      name: "module-looks-inward",
      comment: "The core asks the store through store-port.ts, and imports nothing around it but the texts",
      severity: "error",
      from: { path: MODULE, pathNot: TESTS },
      to: { path: "^src/", pathNot: [MODULE, "^src/i18n/"] },
    },
    {
      name: "store-port-is-types",
      comment: "Every slice may import the port: by a value it would bring them a slice that they may not import",
      severity: "error",
      from: { path: `${MODULE}store-port\\.ts$` },
      to: { path: MODULE, pathNot: `${MODULE}kernel/`, ...BUT_TYPES },
    },
    {
      name: "worker-calls-services",
      comment: "A task is one call of a service, which the container gives: of slices the worker imports types",
      severity: "error",
      from: { path: `${MODULE}worker/`, pathNot: TESTS },
      to: {
        path: MODULE,
        pathNot: [`${MODULE}(worker|kernel)/`, ...PURE_FILES, files(WORKER_FILES)],
        ...BUT_TYPES,
      },
    },
    {
      name: "loaders-start-the-module",
      comment: "What runs at a store's start makes the acquirers and the container, and guards the http server",
      severity: "error",
      from: { path: `${MODULE}loaders/` },
      to: {
        path: MODULE,
        pathNot: [
          `${MODULE}(loaders|kernel|http-server)/`,
          `${MODULE}(container|store-port)\\.ts$`,
          `${MODULE}acquirers/(accounts|definitions|registry|sandbox)\\.ts$`,
        ],
      },
    },
    ...partRules,
    {
      name: "through-the-container",
      comment:
        "Outside the module its services are reached through the container: only types and pure rules are imported",
      severity: "error",
      from: { path: Object.keys(PARTS).map(part), pathNot: TESTS },
      to: {
        path: MODULE,
        pathNot: [
          `${MODULE}(index|store-port)\\.ts$`,
          `${MODULE}kernel/(?!database/(audit|counters|database|hook-calls|outbox|partitions)\\.)`,
          ...PURE_FILES,
        ],
        ...BUT_TYPES,
      },
    },
    {
      name: "answered-without-medusa",
      comment:
        "The kit of /api/v2, its operations and the pages know no Medusa request and no store: the front door runs them without Medusa's router",
      severity: "error",
      from: {
        path: "^src/api/(v2-kit|page-kit|pay|portal|health|api/v2|gateway)/|^src/api/(areas|contract|route-files|process-services)\\.ts$",
        pathNot: TESTS,
      },
      to: {
        // Subpaths of Medusa's packages are not resolved, so both spellings are named.
        path: "^node_modules/(@medusajs/framework/dist/http|@medusajs/medusa|express)(/|$)|^src/api/store-services\\.ts$|^src/store/",
      },
    },
    {
      name: "front-door-in-two-places",
      comment: "The store opens the front door, and Express stands behind it: no route knows it",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(front-door/|workflows/connect-store\\.ts$|api/middlewares\\.ts$)" },
      to: { path: "^src/front-door/" },
    },
    {
      name: "store-connected-once",
      comment: "connect-store.ts is for Medusa's loader: it runs when it is loaded, and needs Medusa's modules",
      severity: "error",
      from: {},
      to: { path: "^src/workflows/connect-store\\.ts$" },
    },
    {
      name: "command-line",
      comment:
        "The command line speaks to a running store over HTTP, and to the gateway's services in a process that has nothing else of the store. It reads settings, the database and the acquirers' variables by itself, because the store that doctor examines may not start",
      severity: "error",
      from: { path: "^src/cli/", pathNot: TESTS },
      to: {
        path: "^src/",
        pathNot: [
          "^src/cli/",
          `${MODULE}kernel/(?!database/(database|outbox|audit)\\.)`,
          `${MODULE}webhooks/signature\\.ts$`,
          `${MODULE}reporting/set-up\\.ts$`,
          `${MODULE}acquirers/(definitions|accounts)\\.ts$`,
          `${MODULE}(container|loaders/resources)\\.ts$`,
        ],
        ...BUT_TYPES,
      },
    },
    {
      name: "command-line-alone",
      comment: "Nothing of the store needs its command line",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/cli/" },
      to: { path: "^src/cli/" },
    },
    {
      name: "client-alone",
      comment: "The client of the merchant API runs in Node, Bun, Deno and workers: it imports nothing but itself",
      severity: "error",
      from: { path: "^src/client/", pathNot: TESTS },
      to: { pathNot: "^src/client/" },
    },
    {
      name: "client-for-outsiders",
      comment: "The store does not call the client that it publishes for merchants",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/client/" },
      to: { path: "^src/client/" },
    },
    {
      name: "storefront-alone",
      comment: "The pieces for storefronts run in browsers and workers: formats and languages, and React for next/",
      severity: "error",
      from: { path: "^src/storefront/", pathNot: TESTS },
      to: { path: "^(src|node_modules)/", pathNot: "^src/storefront/|^src/i18n/(formats|languages)\\.ts$|/react/" },
    },
    {
      name: "storefront-without-node",
      comment: "Not every storefront runs in Node, and only those of Next.js have React",
      severity: "error",
      from: { path: "^src/storefront/", pathNot: TESTS },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "storefront-without-react",
      comment: "Only src/storefront/next is for React",
      severity: "error",
      from: { path: "^src/storefront/", pathNot: "^src/storefront/next/|/__tests__/" },
      to: { path: "^src/storefront/next/|/react/" },
    },
    {
      name: "storefront-for-outsiders",
      comment: "The store does not call the pieces that it publishes for storefronts",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/storefront/" },
      to: { path: "^src/storefront/" },
    },
    {
      name: "texts-alone",
      comment: "Texts are data: the catalogues know none of those that use them",
      severity: "error",
      from: { path: "^src/i18n/", pathNot: TESTS },
      to: { path: "^src/", pathNot: "^src/i18n/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(migrations|\\.medusa)/" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
      // Without these a package's own paths, such as @medusajs/framework/http, are not found, and no rule matches them.
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
}
