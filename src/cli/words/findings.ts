import { CONFIG_WORDS, DATABASE_WORDS, IN_STORE, type Wording } from "./faults"

const MAKE_KEY = 'Make one with "openssl rand -base64 32".'

/** What `doctor` can find, by code. */
export const FINDINGS = {
  NODE_TOO_OLD: { message: "Node {found} is too old.", fix: "Install Node {wanted} or newer." },
  MEDUSA_MISSING: {
    message: "Medusa is not installed in this folder.",
    fix: "Run the command in the folder of your store, after `npm install`.",
  },
  MEDUSA_UNSUPPORTED: {
    message: "Medusa {found} is installed, and the gateway is made for {wanted}.",
    fix: "Install @medusajs/medusa and the other @medusajs packages at {wanted}.",
  },
  CONFIG_MISSING: {
    message: "{directory} has no medusa-config.",
    fix: IN_STORE,
  },
  ...CONFIG_WORDS,
  PLUGIN_MISSING: {
    message: "medusa-config does not load the gateway.",
    fix: "Run `npm exec --no -- medusa-payment-gateway init`, which wraps the configuration in withPaymentGateway().",
  },
  PAYMENT_DEPENDENCY_MISSING: {
    message: "The payment module cannot reach the gateway.",
    fix: 'Wrap the configuration in withPaymentGateway(), or give the payment module dependencies: ["gateway", ContainerRegistrationKeys.QUERY].',
  },
  CART_HOOK_TAKEN: {
    message:
      "{file} handles the validate hook of completeCartWorkflow, and so does the gateway. Medusa lets a hook have one handler: the store does not start.",
    fix: "Give the function to validateCart() of medusa-payment-gateway/workflows in place of completeCartWorkflow.hooks.validate() (docs/hosts.md, A check of carts of your own). If the file belongs to another plugin, ask its authors for a way to leave the hook out.",
  },
  OPTIONS_WRONG: {
    message: "The gateway's settings are wrong: {reason}",
    fix: "Correct the variable or option; docs/operations.md, Settings, lists them all.",
  },
  ...DATABASE_WORDS,
  DATABASE_TOO_OLD: { message: "PostgreSQL {found} is too old.", fix: "Use PostgreSQL {wanted} or newer." },
  CLOCK_SKEWED: {
    message: "The clocks of this machine and of the database are {seconds} seconds apart.",
    fix: "Switch on time synchronisation (NTP) on both: leases, sessions and signatures depend on the time.",
  },
  MIGRATIONS_NEVER_RUN: { message: "The database has no tables of the gateway.", fix: "Run `npx medusa db:migrate`." },
  MIGRATIONS_PENDING: {
    message: "The database lacks migrations of this version: {names}.",
    fix: "Run `npx medusa db:migrate`, then restart the store.",
  },
  WORKER_NEVER_RAN: {
    message: "No worker has ever run on this database: nothing is delivered, billed or expired.",
    fix: "Start the store, with MEDUSA_WORKER_MODE unset, shared or worker, and without GATEWAY_WORKER=0.",
  },
  WORKER_STOPPED: {
    message: "No worker has run for {minutes} minutes: nothing is delivered, billed or expired.",
    fix: "Start the store, or the process with MEDUSA_WORKER_MODE=worker, and look into its log.",
  },
  WORKER_OFF: {
    message: "This configuration runs no worker ({setting}), and no other process does.",
    fix: "Start another process with MEDUSA_WORKER_MODE=worker.",
  },
  WORKER_METRICS_HIDDEN: {
    message: "GATEWAY_METRICS_TOKEN is set, but nobody can read the metrics of this worker.",
    fix: "Set GATEWAY_WORKER_PORT to a free port of the worker's machine, and let Prometheus ask there too.",
  },
  PUBLIC_URL_UNSET: {
    message: "GATEWAY_PUBLIC_URL is not set: carts cannot be paid, and e-mails contain no links.",
    fix: "Set it to the address under which browsers reach the store, such as https://shop.example.com.",
  },
  PUBLIC_URL_WRONG: {
    message: "GATEWAY_PUBLIC_URL is not a whole http or https address.",
    fix: "Write it with its scheme and without a path, such as https://shop.example.com.",
  },
  PUBLIC_URL_NOT_HTTPS: {
    message: "GATEWAY_PUBLIC_URL is not https, and the store is in production.",
    fix: "Put the store behind a proxy with a certificate, and write https:// in GATEWAY_PUBLIC_URL.",
  },
  PUBLIC_URL_LOCAL: {
    message: "GATEWAY_PUBLIC_URL is an address of this machine ({host}), and NODE_ENV is production.",
    fix: "Set it to the address under which browsers of other machines reach the store.",
  },
  PUBLIC_URL_SILENT: {
    message: "Nothing answers at GATEWAY_PUBLIC_URL: {reason}.",
    fix: "Start the store; if it runs, correct the address, the DNS entry or the proxy.",
  },
  PUBLIC_URL_ELSEWHERE: {
    message: "Something else than the gateway answers at GATEWAY_PUBLIC_URL, with status {status}.",
    fix: "Let the proxy pass /api/v2, /pay, /portal and /gateway to the store, and write the address without a path.",
  },
  ENCRYPTION_KEYS_UNSET: {
    message:
      "GATEWAY_ENCRYPTION_KEYS is not set: secrets in the database are encrypted with a key that everybody knows.",
    fix: `Set GATEWAY_ENCRYPTION_KEYS=k1:<key>. ${MAKE_KEY}`,
  },
  ENCRYPTION_KEYS_WRONG: {
    message: "GATEWAY_ENCRYPTION_KEYS cannot be used: {reason}",
    fix: `Write id:base64, such as k1:<key>. ${MAKE_KEY}`,
  },
  ENCRYPTION_KEY_LOST: {
    message: "Secrets in the database are encrypted with a key that is not configured: {ids}.",
    fix: "Add it to GATEWAY_ENCRYPTION_KEYS, behind the first key (docs/operations.md, The encryption key).",
  },
  ENCRYPTION_KEY_REPLACED: {
    message:
      "Secrets in the database do not decrypt with the configured key of the id that they name: {ids}. Another key had this id when they were encrypted.",
    fix: "Put that key back into GATEWAY_ENCRYPTION_KEYS. If it is lost, give the new key an id that no key has had before (docs/operations.md, The encryption key).",
  },
  ENCRYPTION_NOT_ROTATED: {
    message: "Some secrets are still encrypted with an older key: {ids}.",
    fix: "Run `npm exec --no -- medusa-payment-gateway rotate-secrets` before you remove it.",
  },
  JWT_SECRET_WEAK: {
    message: "JWT_SECRET is missing or shorter than {length} characters: whoever guesses it is an admin.",
    fix: MAKE_KEY,
  },
  COOKIE_SECRET_WEAK: {
    message: "COOKIE_SECRET is missing or shorter than {length} characters: whoever guesses it is an admin.",
    fix: MAKE_KEY,
  },
  ADMIN_COOKIE_DROPPED: {
    message:
      "NODE_ENV is production and the store is reached over http: browsers drop the admin's cookie, and nobody can sign in.",
    fix: "Use https, or set projectConfig.cookieOptions to { secure: false } in medusa-config.",
  },
  SANDBOX_IN_PRODUCTION: {
    message: "NODE_ENV is production, but the gateway is a sandbox: no payment moves money.",
    fix: "Set GATEWAY_ENVIRONMENT=production when you go live.",
  },
  PRIVATE_URLS_IN_PRODUCTION: {
    message: "GATEWAY_ALLOW_PRIVATE_URLS is set in production: callbacks could reach the internal network.",
    fix: "Unset GATEWAY_ALLOW_PRIVATE_URLS.",
  },
  ACQUIRER_NONE: {
    message: "The store is in production, and no acquirer is configured: nothing can be paid.",
    fix: "Enter an account in the admin (Payment gateway, Settings, Acquirers), or set its variables (docs/acquirers.md).",
  },
  ACQUIRER_VARIABLES_MISSING: {
    message: "An acquirer's variables are incomplete: {reason}.",
    fix: "Set the missing ones, or none of this acquirer.",
  },
  ACQUIRER_REFUSED: {
    message: "{acquirer} does not accept the credentials of {merchant}: {reason}",
    fix: "Correct them in the admin (Payment gateway, Settings, Acquirers) or in the variables, and test the connection.",
  },
  ACQUIRER_UNREADABLE: {
    message: "The credentials of {merchant} at {acquirer} cannot be decrypted.",
    fix: "Put the key back into GATEWAY_ENCRYPTION_KEYS, or enter the credentials again in the admin.",
  },
  ACQUIRER_SILENT: {
    message: "{acquirer} gave no usable answer about the account of {merchant}.",
    fix: "Check this machine's connection to the acquirer, and try again later.",
  },
  ACQUIRERS_NOT_ASKED: {
    message: "The acquirers could not be asked about their accounts: {reason}",
    fix: "Correct what is named above, or what the store says when it starts, and run the command again.",
  },
  ACQUIRER_ADDRESS_REPLACED: {
    message: "{name} is set in production: payments go to a stand-in of the acquirer.",
    fix: "Unset {name}.",
  },
  REDIS_SILENT: { message: "Redis cannot be used: {reason}.", fix: "Start Redis, correct REDIS_URL, or unset it." },
  REGION_MISSING: {
    message: "No region has the currency BDT, in which the gateway takes payments.",
    fix: "Run `npm exec --no -- medusa-payment-gateway region add`, or add a region for Bangladesh with the currency BDT in the admin (Settings, Regions).",
  },
  PROVIDER_NOT_ENABLED: {
    message: "The gateway's payment provider is not enabled for the region {region}.",
    fix: "Enable {provider} for it in the admin (Settings, Regions).",
  },
  CASH_OFFERED: {
    message: "The region {region} takes cash on delivery.",
    fix: "Remove {provider} from it in the admin (Settings, Regions) if it should not.",
  },
  CASH_NOT_OFFERED: {
    message: "The region {region} does not take cash on delivery.",
    fix: "Run `npm exec --no -- medusa-payment-gateway region add --cash` for Bangladesh, or enable {provider} in the admin (Settings, Regions), if it should.",
  },
  API_KEY_NONE: {
    message: "There is no API key for {environment}.",
    fix: "Run `npm exec --no -- medusa-payment-gateway keys create`, or make one in the admin; carts of the store need none.",
  },
} as const satisfies Record<string, Wording>
