/*
 * Which file may import which, enforced by `npm run lint`. docs/architecture.md draws the same arrows for people.
 * Everything is matched by resolved path, so that no spelling of an import gets around it.
 */
const MODULE = "^src/modules/gateway/"

/** What each slice of the gateway may import besides itself and the kernel. A slice that is not here does not exist. */
const ARROWS = {
  ledger: [],
  merchants: [],
  plans: [],
  webhooks: [],
  payments: ["ledger", "merchants", "webhooks"],
  emi: ["payments"],
  refunds: ["payments", "ledger"],
  disputes: ["payments", "ledger"],
  subscriptions: ["payments", "ledger", "plans", "invoices"],
  invoices: ["payments", "subscriptions", "checkout", "merchants", "plans"],
  links: ["payments", "checkout", "merchants"],
  receipts: ["payments", "emi", "invoices", "merchants", "plans"],
  portal: ["subscriptions", "invoices", "payments", "checkout", "merchants"],
  checkout: ["payments", "merchants", "emi", "subscriptions"],
  reporting: ["ledger", "payments", "subscriptions", "invoices"],
}

/** Services that the container hands to a slice below theirs: only their types may be imported there. */
const TYPE_ARROWS = { payments: ["emi", "subscriptions"] }

const SLICES = Object.keys(ARROWS)
const oneOf = (names) => (names.length ? `(${names.join("|")})/` : "(?!)")

const sliceRules = SLICES.flatMap((slice) => {
  const values = [slice, ...ARROWS[slice]]
  const types = [...values, ...(TYPE_ARROWS[slice] ?? [])]
  const from = { path: `${MODULE}${slice}/`, pathNot: "/__tests__/" }
  const comment = "Slices reach each other along the arrows of docs/architecture.md"
  return [
    {
      name: `slice-${slice}`,
      comment,
      severity: "error",
      from,
      to: { path: MODULE, pathNot: [`${MODULE}kernel/`, `${MODULE}store-port`, `${MODULE}${oneOf(types)}`] },
    },
    {
      name: `slice-${slice}-values`,
      comment: `${comment}; this one is for types only, the container hands the service over`,
      severity: "error",
      from,
      to: { path: `${MODULE}${oneOf(TYPE_ARROWS[slice] ?? [])}`, dependencyTypesNot: ["type-only"] },
    },
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
        pathNot: `${MODULE}(kernel|worker|http-server|models|migrations|loaders|__tests__|${SLICES.join("|")})/`,
      },
    },
    {
      name: "kernel-alone",
      comment: "The kernel knows none of those that it serves",
      severity: "error",
      from: { path: `${MODULE}kernel/`, pathNot: "/__tests__/" },
      to: { path: "^src/", pathNot: [`${MODULE}kernel/`, "^src/i18n/"] },
    },
    {
      name: "http-server-alone",
      comment: "The guards of the store's http server know settings and nothing of money",
      severity: "error",
      from: { path: `${MODULE}http-server/`, pathNot: "/__tests__/" },
      to: { path: "^src/", pathNot: [`${MODULE}(http-server|kernel)/`, "^src/i18n/"] },
    },
    {
      name: "rules-are-pure",
      comment: "Rules and states take what they need as arguments: of the kernel no database, and no service",
      severity: "error",
      from: { path: `${MODULE}.*/(rules|states|[a-z-]+-rules|[a-z-]+-states)\\.ts$` },
      to: {
        path: [
          `${MODULE}kernel/(database|outbox|audit)\\.`,
          `${MODULE}.*/service\\.`,
          "^node_modules/(@medusajs|undici|ioredis|graphile-worker)",
        ],
      },
    },
    ...sliceRules,
    {
      name: "models-are-tables",
      comment: "A model knows the states of its slice and the kernel, nothing else",
      severity: "error",
      from: { path: `${MODULE}models/` },
      to: {
        path: "^src/",
        pathNot: [
          `${MODULE}models/`,
          `${MODULE}kernel/`,
          `${MODULE}.*(states|rules|payment-services|state|stock)\\.ts$`,
        ],
      },
    },
    {
      name: "module-looks-inward",
      comment: "The core asks the store through store-port.ts, and never imports it",
      severity: "error",
      from: { path: MODULE },
      to: { path: "^src/(api|workflows|store|providers|subscribers|admin|links)/" },
    },
    {
      name: "through-the-container",
      comment:
        "Outside the module its services are reached through the container: only types and pure rules are imported",
      severity: "error",
      from: { path: "^src/(api|workflows|store|providers|subscribers|links)/", pathNot: "/__tests__/" },
      to: {
        path: `${MODULE}`,
        pathNot: [
          `${MODULE}index\\.ts$`,
          `${MODULE}store-port\\.ts$`,
          `${MODULE}kernel/(?!database|outbox|audit)`,
          `${MODULE}.*/(rules|states|state|signature|[a-z-]+-rules|[a-z-]+-states|choice|plan|input|payment-choice|payment-services|stock|trial|due-step|receiver-concurrency)\\.ts$`,
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "answered-without-medusa",
      comment:
        "The kit of /api/v2, its operations and the pages know no Medusa request and no store: API processes run them without Medusa's router and modules",
      severity: "error",
      from: {
        path: "^src/api/(v2-kit|page-kit|pay|portal|api/v2|gateway/(acquirers|return|metrics|csp-reports))/|^src/api/gateway/(gate|routes|cart-payment)\\.ts$|^src/api/(contract|pages|route-files|site|accepts|plain-answers)\\.ts$",
        pathNot: "^src/api/(v2-kit|page-kit)/medusa\\.ts$|/middlewares-config\\.ts$|/__tests__/",
      },
      to: {
        // Subpaths of Medusa's packages are not resolved, so both spellings are named.
        path: "^node_modules/(@medusajs/framework/dist/http|@medusajs/medusa|express|fastify)(/|$)|^src/api/(v2-kit|page-kit)/medusa\\.ts$|^src/api/medusa-site\\.ts$|^src/store/",
      },
    },
    {
      name: "store-below-workflows",
      comment: "Workflows, routes and subscribers call src/store; it calls none of them but the hooks of hosts",
      severity: "error",
      from: { path: "^src/store/", pathNot: "/__tests__/" },
      to: { path: "^src/", pathNot: `^src/(store|providers|i18n)/|^src/workflows/hook-points\\.ts$|${MODULE}` },
    },
    {
      name: "workflows-for-hosts",
      comment: "What a host calls must load without routes and subscribers",
      severity: "error",
      from: { path: "^src/workflows/", pathNot: "/__tests__/" },
      to: { path: "^src/", pathNot: `^src/(workflows|store|providers|i18n)/|${MODULE}` },
    },
    {
      name: "store-connected-once",
      comment: "connect-store.ts is for Medusa's loader: it runs when it is loaded, and needs Medusa's modules",
      severity: "error",
      from: {},
      to: { path: "^src/workflows/connect-store\\.ts$" },
    },
    {
      name: "admin-over-http",
      comment: "The admin's pages reach the gateway over HTTP only, and take from the routes the names of their areas",
      severity: "error",
      from: { path: "^src/admin/", pathNot: "/__tests__/" },
      to: { path: "^src/", pathNot: "^src/(admin/|i18n/|api/admin-kit/areas\\.ts$)" },
    },
    {
      name: "command-line",
      comment:
        "The command line speaks to a running store over HTTP, and to the gateway's services in a process that has nothing else of the store. It reads settings, the database and the acquirers' variables by itself, because the store that doctor examines may not start",
      severity: "error",
      from: { path: "^src/cli/", pathNot: "/__tests__/" },
      to: {
        path: "^src/",
        pathNot: [
          "^src/cli/",
          `${MODULE}kernel/(?!database|outbox|audit)`,
          `${MODULE}webhooks/signature\\.ts$`,
          `${MODULE}reporting/set-up\\.ts$`,
          `${MODULE}payments/acquirers/(definitions|accounts)\\.ts$`,
          "^src/server/(serve|cluster|config-entry|gateway|reader)\\.ts$",
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "api-processes",
      comment:
        "An API process has the gateway's services, the operations of /api/v2 and the pages, and no other module of Medusa: what needs the store is asked of a store process",
      severity: "error",
      from: { path: "^src/server/", pathNot: "/__tests__/" },
      to: {
        path: "^src/|^node_modules/(@medusajs/framework/dist/http|@medusajs/medusa|express)(/|$)",
        pathNot: [
          "^src/(server|i18n)/",
          "^src/api/(compress|contract|pages|route-files|site)\\.ts$",
          "^src/api/page-kit/(?!medusa)",
          "^src/api/reference/answer\\.ts$",
          "^src/api/v2-kit/(?!medusa)",
          "^src/store/page-url\\.ts$",
          `${MODULE}(container|store-port|loaders/resources|http-server/connections)\\.ts$`,
          `${MODULE}kernel/`,
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "api-processes-alone",
      comment: "The store runs without API processes: only the command line starts one",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(server|cli)/" },
      to: { path: "^src/server/" },
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
      from: { path: "^src/client/", pathNot: "/__tests__/" },
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
      from: { path: "^src/storefront/", pathNot: "/__tests__/" },
      to: { path: "^(src|node_modules)/", pathNot: "^src/storefront/|^src/i18n/(formats|languages)\\.ts$|/react/" },
    },
    {
      name: "storefront-without-node",
      comment: "Not every storefront runs in Node, and only those of Next.js have React",
      severity: "error",
      from: { path: "^src/storefront/", pathNot: "/__tests__/" },
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
      from: { path: "^src/i18n/", pathNot: "/__tests__/" },
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
