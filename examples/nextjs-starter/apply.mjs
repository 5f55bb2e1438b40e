#!/usr/bin/env node
/*
 * Makes Medusa's Next.js starter pay through the gateway: changes six of its files and adds three.
 *
 *   node apply.mjs [folder of the starter]            changes it
 *   node apply.mjs [folder of the starter] --check    says what would change
 *
 * Every change is found by a short piece of the starter's own code. When one is missing, because the starter has changed,
 * nothing is written and the change is named, to be made by hand (README.md).
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const FILES = fileURLToPath(new URL("./files", import.meta.url))
const STOREFRONT = "medusa-payment-gateway/storefront"

/** `text` goes in front of the first match of `find`, or in its place. `text` shows that the change was made. */
const importing = (names, from = STOREFRONT) => ({
  what: `import ${names}`,
  find: /^import /m,
  text: `import { ${names} } from "${from}"\n`,
})

/** A button that starts the payment by this function. */
const payButton = (start) => [
  "      return (",
  "        <PayButton",
  `          start={${start}}`,
  "          disabled={notReady}",
  `          className="w-full h-12 rounded-md bg-ui-button-inverted text-ui-fg-on-inverted disabled:opacity-50"`,
  `          errorClassName="pt-2 text-rose-500 text-small-regular"`,
  "          data-testid={dataTestId}",
  "        >",
  "          Place order",
  "        </PayButton>",
  "      )",
  "",
]

/** The steps before the order: a cart that costs nothing needs no way to pay, as one that gift cards have paid. */
const FREE = [
  importing("isFree"),
  {
    what: "ask for no way to pay where the cart costs nothing (paidByGiftcard)",
    find: /const paidByGiftcard =/,
    text: "const paidByGiftcard = isFree(cart) ||",
    replaces: true,
  },
]

export const CHANGES = {
  "src/lib/constants.tsx": [
    importing("textsOf"),
    {
      what: "name the gateway in paymentInfoMap; the starter's order page needs an entry for every provider",
      find: /^ *pp_system_default: \{/m,
      text: `  pp_gateway_default: {\n    title: textsOf("en").title,\n    icon: <CreditCard />,\n  },\n`,
    },
    {
      what: "name cash on delivery in paymentInfoMap",
      find: /^ *pp_system_default: \{/m,
      text: `  pp_gateway_cod: {\n    title: textsOf("en").cash.title,\n    icon: <CreditCard />,\n  },\n`,
    },
  ],
  "src/lib/data/cart.ts": [
    importing("isSpent"),
    {
      what: "forget a cart that has been paid, in another browser perhaps (retrieveCart)",
      find: /=> cart\)(?=\s*\.catch\(\(\) => null\))/,
      text: "=> (isSpent(cart) ? null : cart))",
      replaces: true,
    },
    {
      what: "ask whether the cart has been paid before something is added to it (getOrSetCart)",
      find: /"id,\s*region_id"/,
      text: `"id,region_id,completed_at"`,
      replaces: true,
    },
  ],
  "src/modules/checkout/components/payment/index.tsx": [
    ...FREE,
    {
      what: "make no payment session for a cart that costs nothing (handleSubmit)",
      find: /if \(!checkActiveSession\)/,
      text: "if (!checkActiveSession && !paidByGiftcard)",
      replaces: true,
    },
    {
      what: "say of a cart that costs nothing that there is nothing to pay",
      find: /\bGift card(?=\s*<)/g,
      text: `{isFree(cart) ? "Nothing to pay" : "Gift card"}`,
      replaces: true,
    },
  ],
  "src/modules/checkout/components/review/index.tsx": FREE,
  "src/modules/checkout/components/payment-button/index.tsx": [
    importing("isCash, isGateway, readCash"),
    importing("isFree"),
    importing("CashButton, PayButton", `${STOREFRONT}/next`),
    importing("confirmGatewayCash, sendGatewayCode, startGatewayPayment", "@lib/data/gateway"),
    importing("placeFreeOrder", "@lib/data/gateway"),
    {
      what: "place the order of a cart that costs nothing, whatever was chosen before",
      find: /^ *switch \(true\) \{\n/m,
      text: ["  switch (true) {", "    case isFree(cart):", ...payButton("placeFreeOrder")].join("\n"),
      replaces: true,
    },
    {
      what: "show both sums and the button of cash on delivery for its payment session",
      find: /^ *case isManual\(/m,
      text: [
        "    case isCash(paymentSession?.provider_id):",
        "      return (",
        "        <CashButton",
        "          chosen={readCash(cart.payment_collection?.payment_sessions)}",
        "          currency={cart.currency_code}",
        "          confirm={confirmGatewayCash}",
        "          sendCode={sendGatewayCode}",
        "          disabled={notReady}",
        `          className="w-full h-12 rounded-md bg-ui-button-inverted text-ui-fg-on-inverted disabled:opacity-50"`,
        `          textClassName="pb-2 txt-medium text-ui-fg-subtle"`,
        `          errorClassName="pt-2 text-rose-500 text-small-regular"`,
        "          data-testid={dataTestId}",
        "        />",
        "      )",
        "",
      ].join("\n"),
    },
    {
      what: "show the gateway's button for a payment session of the gateway",
      find: /^ *case isManual\(/m,
      text: ["    case isGateway(paymentSession?.provider_id):", ...payButton("startGatewayPayment")].join("\n"),
    },
  ],
  "src/modules/order/components/payment-details/index.tsx": [
    importing("isCash"),
    {
      what: "import the gateway's part of the order's page",
      find: /^import /m,
      text: `import GatewayPayment from "@modules/order/components/gateway-payment"\n`,
    },
    {
      what: "leave out when an order in cash was paid: it is not paid yet",
      find: /\{payment && \(/,
      text: "{payment && !isCash(payment.provider_id) && (",
      replaces: true,
    },
    {
      what: "show the owner of an order how it was paid, and what is due in cash",
      find: /^ *<Divider className="mt-8" \/>/m,
      text: "      <GatewayPayment orderId={order.id} currency={order.currency_code} />\n",
    },
  ],
}

export const ADDED = [
  "src/lib/data/gateway.ts",
  "src/app/api/gateway/return/route.ts",
  "src/modules/order/components/gateway-payment/index.tsx",
]

/**
 * What becomes of the starter's files. Nothing is written.
 * @param {string} folder the starter's
 * @returns {{ files: Map<string, string>, problems: string[] }} the new texts of files that change, by path
 */
export function changesOf(folder) {
  const files = new Map()
  const problems = []
  for (const [path, changes] of Object.entries(CHANGES)) {
    const file = join(folder, path)
    if (!existsSync(file)) {
      problems.push(`${path} does not exist`)
      continue
    }
    const before = readFileSync(file, "utf8")
    let text = before
    for (const change of changes) {
      if (text.includes(change.text)) {
        continue
      }
      if (text.search(change.find) < 0) {
        problems.push(`${path}: ${change.what}`)
        continue
      }
      text = text.replace(change.find, (found) => (change.replaces ? change.text : change.text + found))
    }
    if (text !== before) {
      files.set(path, text)
    }
  }
  for (const path of ADDED) {
    const text = readFileSync(join(FILES, path), "utf8")
    const file = join(folder, path)
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
      files.set(path, text)
    }
  }
  return { files, problems }
}

function run([folder = ".", ...options]) {
  const { files, problems } = changesOf(resolve(folder))
  if (problems.length > 0) {
    process.stderr.write(
      `Nothing was changed. To be made by hand (README.md):\n${problems.map((one) => `  ${one}\n`).join("")}`
    )
    return 1
  }
  for (const [path, text] of files) {
    if (!options.includes("--check")) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    process.stdout.write(`${options.includes("--check") ? "would change" : "changed"} ${path}\n`)
  }
  process.stdout.write(files.size === 0 ? "Everything is in place.\n" : "")
  return 0
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [first] = process.argv.slice(2)
  process.exitCode = run(first?.startsWith("--") ? [".", ...process.argv.slice(2)] : process.argv.slice(2))
}
