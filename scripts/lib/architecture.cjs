/*
 * Who may import whom, as data. `.dependency-cruiser.cjs` makes rules of it, and a unit test compares it with the tables
 * of docs/architecture.md.
 */

/** A slice; what it does not name it does not have. */
const slice = ({ values = [], types = [], files = [], pure = [] }) => ({ values, types, files, pure })

/**
 * The slices of the gateway module; a folder that is not here is none.
 * - values: the slices whose public files it may import. They form no cycle.
 * - types: the slices of which it may import only types, because the container gives it their services.
 * - files: its public files. Rules and states (`rules.ts`, `states.ts`, `…-rules.ts`, `…-states.ts`) are public too.
 * - pure: public files that the parts outside the module may import as well.
 */
const SLICES = {
  ledger: slice({ files: ["records"] }),
  merchants: slice({ files: ["records"], pure: ["payment-services"] }),
  plans: slice({}),
  webhooks: slice({ files: ["records"], pure: ["signature"] }),
  acquirers: slice({
    types: ["merchants"],
    files: ["amount-mismatch", "definitions", "health", "in-time", "registry"],
  }),
  "saved-methods": slice({
    values: ["acquirers"],
    types: ["merchants", "payments"],
    files: ["instrument-tokens", "permission-to-charge"],
  }),
  payments: slice({
    values: ["acquirers", "saved-methods", "ledger", "merchants", "webhooks"],
    types: ["emi", "subscriptions"],
    files: ["amount-mismatches", "payment-choice", "receipt-rows", "records"],
  }),
  emi: slice({ values: ["payments"], types: ["acquirers"], pure: ["input", "plan"] }),
  refunds: slice({ values: ["acquirers", "payments", "ledger"] }),
  disputes: slice({ types: ["payments"], values: ["acquirers", "ledger"] }),
  subscriptions: slice({
    values: ["acquirers", "saved-methods", "payments", "ledger", "plans", "merchants"],
    types: ["invoices"],
    files: ["billing/records", "lifecycle", "records", "store/renewal-orders"],
    pure: ["store/stock"],
  }),
  invoices: slice({
    values: ["saved-methods", "subscriptions", "merchants", "plans"],
    types: ["acquirers", "checkout"],
    files: ["documents/drawing", "documents/paper", "documents/paper-mail", "documents/pdf-cache", "records"],
  }),
  cash: slice({ values: ["ledger"], types: ["refunds"] }),
  settlements: slice({
    values: ["acquirers", "ledger", "invoices", "merchants"],
    pure: ["files/lines", "files/preview", "files/sheet", "files/template"],
  }),
  links: slice({ values: ["saved-methods"], types: ["payments", "acquirers", "checkout", "merchants"] }),
  receipts: slice({ values: ["emi", "invoices", "merchants", "plans", "refunds"], types: ["acquirers"] }),
  portal: slice({
    values: ["subscriptions", "invoices", "payments", "plans", "merchants"],
    types: ["saved-methods", "checkout"],
  }),
  checkout: slice({
    values: ["saved-methods", "payments", "plans", "merchants", "subscriptions"],
    types: ["acquirers", "emi"],
  }),
  reporting: slice({
    values: ["acquirers", "saved-methods", "ledger", "payments", "invoices", "cash", "settlements"],
    types: ["subscriptions"],
  }),
}

/** What the worker imports of slices besides types, rules and states. */
const WORKER_FILES = ["webhooks/delivery/trace", "webhooks/receiver-concurrency"]

/**
 * The parts of `src` around the module, and what they may import besides themselves and the texts. Of the module they get
 * types, rules and what else is pure. `types`: only types of it. The parts that are published, and those with processes
 * of their own, have rules of their own in `.dependency-cruiser.cjs`.
 */
const PARTS = {
  api: {
    imports: ["modules/gateway", "store", "providers", "front-door/behind-express.ts"],
    why: "Routes call services and src/store, no workflow. Only the middlewares know the front door",
  },
  "front-door": {
    imports: ["api", "modules/gateway"],
    why: "The front door answers with the operations and pages of src/api",
  },
  workflows: {
    imports: ["modules/gateway", "store", "providers", "front-door"],
    why: "What a host calls must load without routes and subscribers",
  },
  subscribers: { imports: ["modules/gateway", "store"], why: "A subscriber is one call of src/store" },
  store: {
    imports: ["modules/gateway", "providers", "workflows/hook-points.ts"],
    why: "Workflows, routes and subscribers call src/store; it calls none of them but the hooks of hosts",
  },
  providers: {
    imports: ["modules/gateway"],
    why: "Medusa loads the payment provider before the store is connected",
  },
  links: { imports: ["modules/gateway"], why: "A link names the module, and nothing of the store" },
  scripts: { imports: ["modules/gateway"], why: "What `medusa exec` runs needs no route" },
  policies: { imports: ["api/admin-kit/areas.ts"], why: "A policy names the areas of the admin's routes" },
  admin: {
    imports: [],
    types: [
      "api/admin-kit/areas.ts",
      "api/admin/gateway",
      "api/api/v2/payments/balance/resource.ts",
      "api/gateway/emi-offer.ts",
    ],
    why: "The admin's pages reach the gateway over HTTP, and know its answers by the types of their presenters: a browser must not get the server's code",
  },
  "config.ts": {
    imports: ["modules/gateway/kernel/http/log-output.ts"],
    types: ["modules/gateway/kernel/options.ts", "modules/gateway/acquirers/registry.ts"],
    why: "medusa-config.ts is loaded by every command, before the gateway's services may be",
  },
  "acquirers.ts": {
    imports: ["modules/gateway/kernel/errors.ts"],
    types: [
      "modules/gateway/acquirers/port.ts",
      "modules/gateway/acquirers/dispute-port.ts",
      "modules/gateway/acquirers/authorization-port.ts",
      "modules/gateway/acquirers/settlement-port.ts",
      "modules/gateway/acquirers/order.ts",
      "modules/gateway/acquirers/registry.ts",
      "modules/gateway/merchants/payment-services.ts",
      "modules/gateway/kernel/money/clock.ts",
      "modules/gateway/kernel/money/money.ts",
    ],
    why: "A host's adapter gets types and the error that it throws, and none of the gateway's services",
  },
  "acquirer-tests": {
    imports: [],
    types: ["acquirers.ts"],
    why: "A host's tests get what an adapter is known by, and nothing that runs in a store",
  },
  "webhooks.ts": {
    imports: ["modules/gateway/webhooks/signature.ts"],
    why: "Receivers load it without a store",
  },
}

module.exports = { SLICES, WORKER_FILES, PARTS }
