import { apiOf } from "../api"
import { textOf, URL_HELP, URL_OPTION, type Command, type Given } from "../command"
import { EXIT, wrongUsage } from "../failure"
import { printJson, table } from "../output"

type Payment = {
  transaction_id: string
  order_id: string
  status: string
  amount: string
  currency: string
  payment_method: string
  error_code: string | null
  created_at: string
}

export const payments: Command = {
  name: "payments",
  summary: "list payments, newest first",
  options: {
    ...URL_OPTION,
    status: { type: "string" },
    search: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
    page: { type: "string" },
    limit: { type: "string" },
  },
  help: [
    ["--status STATUS", "PENDING, SUCCESS, FAILED, CANCELLED, EXPIRED or REFUNDED"],
    ["--search TEXT", "an id, the beginning of an order id, a name, an e-mail address, a phone or an amount"],
    ["--from, --to TIME", "when the checkout was made, such as 2026-01-31 or 2026-01-31T12:00:00Z"],
    ["--limit N, --page N", "how many, and which page of them; default: 20, 1"],
    URL_HELP,
  ],
  about: "Lists the merchant's payments in the environment of the key, unpaid checkouts included.",
  run: async (context, given) => {
    const { data, meta } = await apiOf(context, given).get<Payment[]>("/payments", {
      status: textOf(given, "status")?.toUpperCase(),
      q: textOf(given, "search"),
      from: moment(given, "from"),
      to: moment(given, "to"),
      page: textOf(given, "page"),
      per_page: textOf(given, "limit"),
    })
    const total = meta.total ?? data.length
    if (given.values.json === true) {
      printJson(context, { payments: data, total })
      return EXIT.ok
    }
    context.out(table(["CREATED", "STATUS", "AMOUNT", "METHOD", "ORDER", "TRANSACTION"], data.map(rowOf)))
    context.err(`${data.length} of ${total}\n`)
    return EXIT.ok
  },
}

function rowOf({
  created_at,
  status,
  error_code,
  amount,
  currency,
  payment_method,
  order_id,
  transaction_id,
}: Payment) {
  const outcome = error_code === null ? status : `${status} ${error_code}`
  return [
    created_at.slice(0, 19) + "Z",
    outcome,
    `${amount} ${currency}`,
    payment_method || "-",
    order_id,
    transaction_id,
  ]
}

/** A date alone means the beginning of the day in UTC. */
function moment(given: Given, name: string): string | undefined {
  const text = textOf(given, name)
  if (text === undefined) {
    return undefined
  }
  const read = new Date(text)
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(text) || Number.isNaN(read.getTime())) {
    throw wrongUsage("MOMENT_WRONG", { name: `--${name}`, text })
  }
  return read.toISOString()
}
