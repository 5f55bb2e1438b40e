const DAY_MS = 86_400_000
const DHAKA_MS = 6 * 3_600_000
const BOM = "\uFEFF"
const BANGLA = "০১২৩৪৫৬৭৮৯"

const dayOf = (at) => new Date(at.getTime() + DHAKA_MS).toISOString().slice(0, 10)
const slashed = (at) => dayOf(at).split("-").reverse().join("/")
const decimal = (minor) =>
  `${minor < 0 ? "-" : ""}${Math.floor(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, "0")}`
const grouped = (minor) => decimal(minor).replace(/\B(?=(\d{3})+(?=\.))/g, ",")
const bangla = (text) => text.replace(/[0-9]/g, (digit) => BANGLA[Number(digit)])
const net = ({ gross, fee, vat }) => gross - fee - vat
const total = (lines, of) => lines.reduce((sum, line) => sum + of(line), 0)
const file = (source, name, rows, separator = ",") => ({
  source,
  name,
  text: rows
    .map((cells) => cells.map((cell) => (/[",;]/.test(cell) ? `"${cell}"` : cell)).join(separator))
    .join("\r\n"),
})

const SSL_WORDS = { payment: "Sale", refund: "Refund" }
const BKASH_WORDS = { payment: "পেমেন্ট", refund: "ফেরত" }
const STRIPE_WORDS = { payment: "charge", refund: "refund", dispute: "dispute", adjustment: "adjustment" }

/** With a byte order mark, two lines above the names of the columns, thousands separators, parentheses for minus, a total. */
export function sslcommerzFile(lines, month) {
  const amount = (minor) => (minor < 0 ? `(${grouped(-minor)})` : grouped(minor))
  const rows = lines.map((line) => [
    ...[line.id, SSL_WORDS[line.kind], line.attempt ?? "", line.reference, slashed(line.at)],
    ...[line.gross, line.fee, line.vat, net(line)].map(amount),
    line.batch,
  ])
  const header = [
    "Line",
    "Type",
    "Tran ID",
    "Bank Tran ID",
    "Transaction Date",
    "Gross Amount",
    "Charge",
    "VAT",
    "Payable",
    "Settlement ID",
  ]
  const sums = [
    "Total",
    "",
    "",
    "",
    "",
    amount(total(lines, ({ gross }) => gross)),
    "",
    "",
    amount(total(lines, net)),
    "",
  ]
  const made = file("sslcommerz", `sslcommerz-${month}.csv`, [
    ["Settlement report"],
    [`Month ${month}`],
    header,
    ...rows,
    sums,
  ])
  return { ...made, text: `${BOM}${made.text}` }
}

/** With semicolons, names and digits in Bangla; one amount in scientific notation, which a second file corrects. */
export function bkashFile(lines, month) {
  const header = ["আইডি", "ধরন", "ট্রানজেকশন আইডি", "তারিখ", "পরিমাণ", "চার্জ", "ভ্যাট", "নিট", "ব্যাচ"]
  const row = (line, gross) => [
    ...[line.id, BKASH_WORDS[line.kind], line.reference, bangla(slashed(line.at)), gross],
    ...[line.fee, line.vat, net(line)].map((minor) => bangla(decimal(minor))),
    line.batch,
  ]
  const right = (line) => row(line, bangla(decimal(line.gross)))
  const rows = lines.map((line) =>
    line.isUnreadable ? row(line, `${(line.gross / 100_000).toFixed(5)}E+03`) : right(line)
  )
  return [
    file("bkash", `bkash-${month}.csv`, [header, ...rows], ";"),
    file(
      "bkash",
      `bkash-${month}-corrected.csv`,
      [header, ...lines.filter((line) => line.isUnreadable).map(right)],
      ";"
    ),
  ]
}

/** What comes when the month is closed: a payment that was missing. */
export function lateFile(line, month) {
  const [{ text }] = bkashFile([line], month)
  return { source: "bkash", name: `bkash-${month}-late.csv`, text }
}

/** With times in UTC, and the names of columns that Stripe's reports have. */
export function stripeFile(lines, month) {
  const rows = lines.map((line) => [
    ...[line.id, STRIPE_WORDS[line.kind], line.reference ?? "", line.at.toISOString().slice(0, 19).replace("T", " ")],
    ...[line.gross, line.fee, net(line)].map(decimal),
    ...[line.currency, line.batch],
  ])
  const header = [
    ...["balance_transaction_id", "reporting_category", "source_id", "created_utc"],
    ...["gross", "fee", "net", "currency", "automatic_payout_id"],
  ]
  return file("stripe", `stripe-${month}.csv`, [header, ...rows])
}

export function courierFile(lines, month) {
  const rows = lines.map(({ id, attempt, at, gross, fee, batch }) => [
    id,
    attempt,
    dayOf(at),
    decimal(gross),
    decimal(fee),
    batch,
  ])
  return file("courier:pathao", `pathao-${month}.csv`, [
    ["Line", "Order number", "Delivery date", "Collected", "Delivery charge", "Payment batch"],
    ...rows,
  ])
}

/**
 * A deposit for the settlement of each week, two days later; those of the last week come in the next month. One comes in
 * two parts, two come as one, of one the bank has kept a charge, and the rent is paid.
 */
export function bankFile(lines, { start, code }, month) {
  const sumOf = (source, week) => {
    const all = lines[source].filter(({ batch, currency }) => batch.endsWith(`${code}-${week}`) && currency === "BDT")
    // A line that came twice is paid once.
    return { batch: all[0].batch, minor: total([...new Map(all.map((line) => [line.id, line])).values()], net) }
  }
  const at = (week, days = 0) => new Date(start + (week * 7 + 1 + days) * DAY_MS)
  const rows = []
  const deposit = (when, text, minor) => rows.push({ when, text, credit: minor, debit: 0 })
  for (const source of ["sslcommerz", "bkash", "stripe", "courier"]) {
    for (const week of [1, 2, 3]) {
      const { batch, minor } = sumOf(source, week)
      const first = sumOf(source, 1)
      if (source === "sslcommerz" && week === 2) {
        deposit(at(week), `${batch} part 1`, Math.floor(minor / 2))
        deposit(at(week, 1), `${batch} part 2`, minor - Math.floor(minor / 2))
      } else if (source === "bkash" && week === 2) {
        deposit(at(week), `${first.batch} and ${batch}`, first.minor + minor)
      } else if (source === "stripe" && week === 3) {
        deposit(at(week), `${batch} less charge`, minor - 1_500)
      } else if (source !== "bkash" || week !== 1) {
        deposit(at(week), `Transfer ${batch}`, minor)
      }
    }
  }
  rows.push({ when: at(1, 3), text: "Rent of the warehouse", credit: 0, debit: 2_500_000 })
  rows.sort((one, other) => one.when - other.when)
  let balance = 10_000_000
  const cells = rows.map(({ when, text, credit, debit }) => {
    balance += credit - debit
    return [dayOf(when), text, debit ? grouped(debit) : "", credit ? grouped(credit) : "", grouped(balance)]
  })
  return file("bank:city", `bank-${month}.csv`, [["Date", "Particulars", "Debit", "Credit", "Balance"], ...cells])
}
