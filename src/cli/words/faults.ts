export type Params = Readonly<Record<string, string | number>>

/** A problem in words: what is wrong, and what to do about it. `{name}` stands for a parameter. */
export type Wording = { message: string; fix: string }

/** Throws for a placeholder without a parameter: a test fills every sentence. */
export function sentenceOf(text: string, params: Params): string {
  return text.replace(/\{([a-z_]+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (value === undefined) {
      throw new Error(`the sentence "${text}" needs ${name}`)
    }
    return String(value)
  })
}

/** What to do when the gateway refuses a request, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  API_KEY_MISSING: "Set GATEWAY_API_KEY to a key of the merchant.",
  INVALID_API_KEY:
    "The key is unknown here, revoked or expired: set GATEWAY_API_KEY to another one (`npm exec --no -- medusa-payment-gateway keys create`).",
  UNAUTHORIZED: "Set GATEWAY_API_KEY to a valid key.",
  INVALID_ENVIRONMENT:
    "A key of the sandbox works at a sandbox store, or at --url <address>/sandbox of a store in production.",
  IP_NOT_WHITELISTED: "Add this machine's address to the merchant's allow-list, or run the command elsewhere.",
  INSUFFICIENT_SCOPE: "Use a key with the scope that the message names.",
  MERCHANT_SUSPENDED: "An admin has suspended the merchant; only the admin can change that.",
  SERVICE_NOT_ENABLED: "Enable the service in the merchant's settings in the admin.",
  RATE_LIMIT_EXCEEDED: "Wait a minute, then try again.",
  NOT_FOUND: "Check the id, and that the key belongs to the merchant and environment of it.",
  INTERNAL_SERVER_ERROR: "Look for the request's id in the log of the store.",
  SERVICE_UNAVAILABLE: "Try again soon; if it stays so, look into the log of the store.",
}

export function adviceOn(code: string): string {
  return ADVICE[code] ?? "Correct the request and run the command again."
}

/** The error for each reason why a database cannot be read: of `doctor` and of the commands that need the database. */
export const DATABASE_ERRORS = {
  refused: "DATABASE_REFUSED",
  unknown_host: "DATABASE_HOST_UNKNOWN",
  password: "DATABASE_PASSWORD_WRONG",
  no_database: "DATABASE_MISSING",
  other: "DATABASE_FAILED",
} as const

export const DATABASE_WORDS = {
  DATABASE_UNSET: { message: "No database is named.", fix: "Set DATABASE_URL, for example in .env." },
  DATABASE_REFUSED: {
    message: "PostgreSQL does not answer at {place}.",
    fix: "Start it, or correct host and port in DATABASE_URL.",
  },
  DATABASE_HOST_UNKNOWN: {
    message: "The database's host is unknown: {place}.",
    fix: "Correct the host in DATABASE_URL.",
  },
  DATABASE_PASSWORD_WRONG: {
    message: "PostgreSQL at {place} refuses the user or password.",
    fix: "Correct both in DATABASE_URL; special characters are percent-encoded there.",
  },
  DATABASE_MISSING: {
    message: "The database {place} does not exist.",
    fix: "Create it with `npx medusa db:create`, or correct its name in DATABASE_URL.",
  },
  DATABASE_FAILED: {
    message: "The database {place} cannot be read: {reason}",
    fix: "Correct what PostgreSQL complains of.",
  },
} as const satisfies Record<string, Wording>

const HELP = "Run `npm exec --no -- medusa-payment-gateway {command} --help`."
export const IN_STORE =
  "Run the command in the folder of your Medusa store, the one with medusa-config.ts (in Medusa's template apps/backend), or name it with --directory PATH."
/** A fault of the set-up: of `doctor`, and of the commands that work in the store's folder. */
export const CONFIG_WORDS = {
  CONFIG_BROKEN: {
    message: "medusa-config cannot be loaded: {reason}",
    fix: "Correct the file; the store cannot start either.",
  },
  PROVIDER_MISSING: {
    message: "The payment module has no payment provider of the gateway.",
    fix: "Wrap the configuration in withPaymentGateway() (docs/own-store.md, step 3), or add the provider medusa-payment-gateway/providers/gateway-payment to the payment module.",
  },
} as const satisfies Record<string, Wording>

/** Why a command failed, by code. */
export const FAULTS = {
  CASH_PROVIDER_MISSING: {
    message: "The payment module has no provider of cash on delivery.",
    fix: "Wrap the configuration in withPaymentGateway() (docs/own-store.md, step 3), or add the provider medusa-payment-gateway/providers/gateway-cod to the payment module.",
  },
  COMMAND_UNKNOWN: {
    message: 'There is no command "{command}".',
    fix: "Run `npm exec --no -- medusa-payment-gateway --help` for the list of commands.",
  },
  OPTIONS_WRONG: { message: "{reason}", fix: HELP },
  ARGUMENT_MISSING: { message: "{argument} is missing.", fix: HELP },
  ARGUMENT_UNEXPECTED: { message: '"{argument}" is one argument too many.', fix: HELP },
  DURATION_WRONG: {
    message: '"{text}" is not a length of time.',
    fix: "Write a number and a unit, such as 30m, 12h, 3d, 2w or 1d12h (s, m, h, d, w).",
  },
  URL_WRONG: {
    message: '{name} is not an http or https address: "{text}".',
    fix: "Write a whole address, such as http://localhost:3000/webhooks.",
  },
  URL_WITH_PASSWORD: {
    message: "{name} holds a user name or a password.",
    fix: "Write the address without them: others could read them in logs and in the list of processes.",
  },
  EVENT_UNKNOWN: { message: 'There is no event "{event}".', fix: "The events are: {events}." },
  NUMBER_WRONG: {
    message: '{name} is not a whole number from {least} to {most}: "{text}".',
    fix: "Write a number within these bounds.",
  },
  MOMENT_WRONG: {
    message: '{name} is not a moment in time: "{text}".',
    fix: "Write a date or a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z.",
  },
  URL_UNSET: {
    message: "The address of the gateway is not known.",
    fix: "Set GATEWAY_PUBLIC_URL, also in .env of this folder, or add --url http://localhost:9000.",
  },
  API_KEY_UNSET: {
    message: "There is no API key.",
    fix: "Set GATEWAY_API_KEY, also in .env of this folder. `npm exec --no -- medusa-payment-gateway keys create` makes a key in the store's folder; the admin makes one too (Payment gateway, Developers). Keys are never given as an option, because other users of the machine could read them in the list of processes.",
  },
  API_KEY_WRONG: {
    message: "GATEWAY_API_KEY holds characters that no key has.",
    fix: "Copy the key again, in one line and without spaces.",
  },
  API_KEY_NOT_SANDBOX: {
    message: "GATEWAY_API_KEY is not a key of the sandbox, and this command only works there.",
    fix: "Use a key that begins with sk_test_ or rk_test_.",
  },
  GATEWAY_UNREACHABLE: {
    message: "The gateway at {url} does not answer: {reason}.",
    fix: "Start the store, or correct GATEWAY_PUBLIC_URL or --url.",
  },
  GATEWAY_NOT_THERE: {
    message: "{url} answers {status}, but not as the gateway does.",
    fix: "Use the address of the Medusa store itself, without a path; with GATEWAY_ENVIRONMENT=production its sandbox is at --url <address>/sandbox.",
  },
  API_REFUSED: {
    message: "The gateway refused: {message} ({status} {api_code}, request {request_id})",
    fix: "{advice}",
  },
  CLOCK_UNKNOWN: {
    message: "The gateway at {url} has not said whether it has moved the clock: {reason}.",
    fix: "Look with `npm exec --no -- medusa-payment-gateway clock` before you move it again: it may have moved, or still be moving. A long way goes better in steps, such as a week each.",
  },
  EVENT_NOT_SEEN: {
    message: "{event} has not occurred within {seconds} seconds.",
    fix: "Check with `npm exec --no -- medusa-payment-gateway doctor` in the store's folder that a worker is running, then try again.",
  },
  ENDPOINT_NONE: {
    message:
      "{event} cannot be made to occur at once, and no active webhook endpoint takes it: a sample has no receiver.",
    fix: "Register an endpoint for it, or name a receiver with --to URL.",
  },
  SAMPLE_NOT_DELIVERED: {
    message: "Of {count} samples of {event}, {failed} were not delivered:\n{reasons}",
    fix: "Correct the receiver; it must answer 200. Then run the command again.",
  },
  DELIVERY_NONE: {
    message: "The event {event} was not sent to any endpoint or IPN address, so there is nothing to send again.",
    fix: "Send it to a receiver of your own with --forward-to URL, or register an endpoint for the next events.",
  },
  REDELIVERY_REFUSED: {
    message: "Of {count} deliveries of the event {event}, {refused} were not sent again:\n{reasons}",
    fix: "Switch the endpoint on and run the command again, or send the event to a receiver with --forward-to URL. A deleted endpoint gets nothing any more.",
  },
  DELIVERY_FAILED: {
    message: "The receiver at {url} did not take the event: {reason}",
    fix: "Correct the receiver; it must answer 200. Then run the command again.",
  },
  WEBHOOK_SECRET_WRONG: {
    message: "WEBHOOK_SECRET is not a signing secret of the gateway.",
    fix: "Unset it, and the command makes a secret for this run; or give the whole secret, which begins with whsec_.",
  },
  WEBHOOK_SECRET_UNSET: {
    message: "WEBHOOK_SECRET is not set, so the event cannot be signed for your receiver.",
    fix: "Set it to the secret that the receiver checks, such as the one that `listen` has printed.",
  },
  FILE_UNREADABLE: { message: "{path} cannot be read: {reason}", fix: "Correct the file or its permissions." },
  NOT_A_STORE: { message: "{directory} is not the folder of a Medusa store: it has no medusa-config.", fix: IN_STORE },
  MEDUSA_MISSING: {
    message: "@medusajs/medusa is not installed in {directory}.",
    fix: "Run `npm install` there, or name the store's folder with --directory PATH.",
  },
  MEDUSA_CLI_MISSING: {
    message: "@medusajs/cli is not installed in {directory}.",
    fix: "Run `npm install @medusajs/cli` at the version of @medusajs/medusa.",
  },
  STORE_COMMAND_FAILED: {
    message: "`{what}` failed. The last lines of its output:\n{output}",
    fix: "Run `npm exec --no -- medusa-payment-gateway doctor`, which names faults of the set-up.",
  },
  STORE_REFUSED: { message: "{message}", fix: "Correct the values and run the command again." },
  REGION_TAKEN: {
    message: "Bangladesh belongs to the region {region}, which is in {currency}.",
    fix: "Take the country out of that region in the admin (Settings, Regions), then run the command again.",
  },
  SECRETS_UNREADABLE: {
    message: "{count} secrets cannot be read with the configured keys, such as those of {examples}.",
    fix: "Put the key that they are encrypted with back into GATEWAY_ENCRYPTION_KEYS, behind the first, and run the command again. A text that is not encrypted was not written by the gateway: make a new secret in its place.",
  },
  SECRETS_LEFT: {
    message: "{count} secrets were written with another key meanwhile.",
    fix: "Start every process of the store with the new first key, and run the command again.",
  },
  CONFIRMATION_NEEDED: {
    message: "The command asks before it writes, and nobody can answer here.",
    fix: "Add --yes to accept every step.",
  },
  VERSION_UNSUPPORTED: {
    message: "{name} {found} is not supported.",
    fix: "Install {name} {wanted}.",
  },
  TYPESCRIPT_MISSING: {
    message: "TypeScript is not installed in {directory}, so medusa-config cannot be read safely.",
    fix: "Run `npm install --save-dev typescript`, or add this to the configuration by hand:\n\n{addition}",
  },
  CONFIG_MISSING: { message: "{directory} has no medusa-config.ts or medusa-config.js.", fix: IN_STORE },
  CONFIG_SHAPE_UNKNOWN: {
    message: "{file} was not changed, because {reason}.",
    fix: "Add the gateway by hand:\n\n{addition}",
  },
  DATABASE_URL_UNSET: {
    message: "DATABASE_URL is not set, so the migrations cannot run.",
    fix: "Set it in .env, such as postgres://user:password@localhost/my-store, and run the command again.",
  },
  ...CONFIG_WORDS,
  ...DATABASE_WORDS,
  STOPPED: { message: "The command was stopped before it was done.", fix: "Run it again when you want it to." },
  DECLINED: { message: "Nothing was changed.", fix: "Run the command again when you want it to." },
  DECLINED_LATER: {
    message: "Nothing more was changed. Done before: {done}.",
    fix: "Run the command again when you want the rest: what is done stays as it is.",
  },
  UNEXPECTED: {
    message: "{message}",
    fix: "This is a fault of the program. Please report it with the output of --version.",
  },
} as const satisfies Record<string, Wording>
