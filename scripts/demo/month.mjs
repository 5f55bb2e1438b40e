/**
 * A month of a shop with three acquirers, a courier and a bank: what its books hold, and the files that these send. Each
 * kind of fault is in the files once. Their layouts are invented: the real ones are not public.
 */
import { bankFile, bkashFile, courierFile, lateFile, sslcommerzFile, stripeFile } from "./month-files.mjs"

/** What each acquirer keeps: of a payment in hundredths of a percent, and in hundredths of a taka; VAT is on both. */
const ACQUIRERS = {
  sslcommerz: { count: 900, service: "CARD", method: "card", rate: 200, fixed: 0, vat: 1_500, batch: "SSL-" },
  bkash: { count: 800, service: "BKASH", method: "mobile_banking", rate: 150, fixed: 0, vat: 1_500, batch: "BKS-" },
  stripe: { count: 300, service: "CARD", method: "card", rate: 290, fixed: 3_000, vat: 0, batch: "po_" },
}
const CASH = { count: 60, charge: 6_000, batch: "PTH-" }
/** Of so many payments one is refunded, every third of them whole. */
const REFUNDED_EACH = 17
const REFUND_DAYS = 3
const DISPUTE_FEE = 150_000
const DAY_MS = 86_400_000
const WEEKS = 4

/** As a basis-point part of an amount is rounded everywhere: half up. */
const part = (minor, basisPoints) => Math.floor((minor * basisPoints + 5_000) / 10_000)
const pad = (number, places) => String(number).padStart(places, "0")

/**
 * @param month as `2026-10`, in Bangladesh time
 * @returns `{ payments, refunds, dispute, cash, agreements, files, faults }`: rows with amounts in hundredths, the fees
 * that were agreed, files as `{ name, source, text }` in the order in which they are imported, and by fault the number
 * of what has it. The last file comes when the month is closed.
 */
export function demoMonth(month) {
  const [year, number] = month.split("-").map(Number)
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const context = { start: Date.parse(`${month}-01T00:00:00+06:00`), days, code: month.replace("-", "") }
  const payments = Object.keys(ACQUIRERS).flatMap((acquirer) => paymentsOf(context, acquirer))
  const of = (acquirer) => payments.filter((payment) => payment.acquirer === acquirer)
  const refunds = [...payments.filter((_, nth) => nth % REFUNDED_EACH === 5).flatMap((one) => refundOf(context, one))]
  refunds.push(...twins(context, of("sslcommerz")[51]))
  const dispute = disputeOf(context, of("stripe")[101])
  const cash = Array.from({ length: CASH.count }, (_, nth) => cashOf(context, nth))
  const lines = {
    ...Object.fromEntries(Object.keys(ACQUIRERS).map((id) => [id, linesOf(id, of(id), refunds, dispute)])),
    courier: cash.map((order) => cashLine(order)),
  }
  const { faults, late } = addFaults(lines, context)
  const files = [
    sslcommerzFile(lines.sslcommerz, month),
    ...bkashFile(lines.bkash, month),
    stripeFile(lines.stripe, month),
    courierFile(lines.courier, month),
    bankFile(lines, context, month),
    lateFile(late, month),
  ]
  return { payments, refunds, dispute, cash, agreements: agreements(month), files, faults }
}

/** Spread evenly over the month, each of another amount. */
function paymentsOf({ start, days, code }, acquirer) {
  const { count, service, method } = ACQUIRERS[acquirer]
  return Array.from({ length: count }, (_, nth) => {
    const name = `${code}${acquirer}${pad(nth, 4)}`
    return {
      ...{ id: `txn${name}`, attempt: `pay${name}`, session: `ses_${name}`, acquirer, service, method },
      order_id: `${ACQUIRERS[acquirer].batch}${pad(nth, 4)}`,
      reference: REFERENCES[acquirer](code, nth),
      minor: 30_000 + ((nth * 7_919) % 470_000),
      at: new Date(start + Math.floor(((nth + 0.5) * days * DAY_MS) / count)),
    }
  })
}

const REFERENCES = {
  sslcommerz: (code, nth) => `${code}12${pad(nth, 6)}`,
  bkash: (code, nth) => `BK${code}${pad(nth, 4)}`,
  stripe: (code, nth) => `ch_demo${code}${pad(nth, 4)}`,
}

/** None of the last days: it would be in the next month. */
function refundOf({ start, days }, payment) {
  const at = new Date(payment.at.getTime() + REFUND_DAYS * DAY_MS)
  if (at.getTime() >= start + days * DAY_MS) {
    return []
  }
  const isFull = payment.minor % 3 === 0
  return [refund(payment, { nth: 1, minor: isFull ? payment.minor : Math.floor(payment.minor / 2), at })]
}

/** Two refunds of one payment, of the same amount, which the acquirer names by the payment. */
function twins(_context, payment) {
  const at = new Date(payment.at.getTime() + REFUND_DAYS * DAY_MS)
  return [1, 2].map((nth) => ({ ...refund(payment, { nth, minor: 10_000, at }), named: payment.reference }))
}

function refund(payment, { nth, minor, at }) {
  const reference = `R${nth}${payment.reference}`
  return { id: `rfd_${payment.id.slice(3)}${nth}`, payment, minor, at, reference, named: reference }
}

function disputeOf(_context, payment) {
  const at = new Date(payment.at.getTime() + DAY_MS)
  const reference = `dp_${payment.reference.slice(3)}`
  return { id: `gdi_${payment.id.slice(3)}`, payment, minor: payment.minor, fee: DISPUTE_FEE, at, reference }
}

function cashOf({ start, days, code }, nth) {
  const at = new Date(start + Math.floor(((nth + 0.5) * days * DAY_MS) / CASH.count))
  const minor = 80_000 + ((nth * 5_003) % 150_000)
  return {
    id: `gco_${code}${pad(nth, 4)}`,
    collection: `gch_${code}${pad(nth, 4)}`,
    number: `${code}-${pad(nth, 3)}`,
    minor,
    charge: CASH.charge,
    at,
  }
}

/** What an acquirer settles, by the day of its payment; amounts signed: above 0 comes to the shop. */
function linesOf(acquirer, payments, refunds, dispute) {
  const { rate, fixed, vat } = ACQUIRERS[acquirer]
  const paid = payments.map(({ reference, attempt, minor, at }) => {
    const fee = part(minor, rate) + fixed
    return { kind: "payment", reference, attempt, gross: minor, fee, vat: part(fee, vat), at }
  })
  const back = refunds
    .filter(({ payment }) => payment.acquirer === acquirer)
    .map(({ named, minor, at }) => ({
      kind: "refund",
      reference: named,
      attempt: null,
      gross: -minor,
      fee: 0,
      vat: 0,
      at,
    }))
  const { reference, minor, fee, at } = dispute
  const taken = { kind: "dispute", reference, attempt: null, gross: -minor, fee, vat: 0, at }
  return [...paid, ...back, ...(acquirer === "stripe" ? [taken] : [])].sort((one, other) => one.at - other.at)
}

function cashLine({ number, minor, charge, at }) {
  return { kind: "payment", reference: null, attempt: number, gross: minor, fee: charge, vat: 0, at }
}

/** Numbers the lines, groups them by weeks, and spoils some. Changes `lines`. */
function addFaults(lines, { start, code }) {
  const weekOf = ({ at }) => Math.min(WEEKS, Math.floor((at.getTime() - start) / (7 * DAY_MS)) + 1)
  const batchOf = {
    ...Object.fromEntries(Object.entries(ACQUIRERS).map(([id, { batch }]) => [id, batch])),
    courier: CASH.batch,
  }
  // Stripe's number of a movement, which its API names too.
  const numberOf = { ...batchOf, stripe: "txn_" }
  for (const [source, all] of Object.entries(lines)) {
    all.forEach((line, nth) =>
      Object.assign(line, {
        id: `${numberOf[source]}L${pad(nth + 1, 5)}`,
        batch: `${batchOf[source]}${code}-${weekOf(line)}`,
        currency: "BDT",
      })
    )
  }
  const { sslcommerz, bkash, stripe } = lines
  const paid = (all, nth) => all.filter(({ kind }) => kind === "payment")[nth]
  const [amount, fee, currency, date] = [paid(sslcommerz, 10), paid(bkash, 21), paid(stripe, 31), paid(sslcommerz, 400)]
  amount.gross -= 1_000
  fee.fee += 2_500
  Object.assign(currency, { currency: "USD", gross: 1_250, fee: 36, vat: 0 })
  date.at = new Date(date.at.getTime() - 10 * DAY_MS)
  const missing = [3, 203, 303, 403, 503].map((nth) => paid(bkash, nth))
  lines.bkash = bkash.filter((line) => !missing.includes(line))
  const extra = (line, changes) => ({ ...line, fee: 0, vat: 0, ...changes })
  const unknown = extra(paid(sslcommerz, 500), {
    id: "SSL-L90001",
    reference: "999999999999",
    attempt: null,
    gross: 77_700,
  })
  const taken = extra(paid(bkash, 600), { id: "BKS-L90001" })
  const adjustment = extra(paid(stripe, 200), {
    id: "txn_L90001",
    kind: "adjustment",
    reference: null,
    attempt: null,
    gross: -50_000,
  })
  sslcommerz.push(unknown, { ...paid(sslcommerz, 700) })
  lines.bkash.push(taken)
  stripe.push(adjustment)
  const unreadable = paid(lines.bkash, 650)
  unreadable.isUnreadable = true
  return {
    late: missing[0],
    faults: {
      ...{ amount: amount.reference, fee: fee.reference, currency: currency.reference, date: date.reference },
      ...{
        not_found: unknown.reference,
        taken: taken.id,
        no_reference: adjustment.id,
        unreadable: unreadable.reference,
      },
      ambiguous: lines.sslcommerz
        .filter(({ kind, gross }) => kind === "refund" && gross === -10_000)
        .map(({ id }) => id),
      repeated: paid(sslcommerz, 700).id,
      missing: missing.map(({ reference }) => reference),
    },
  }
}

function agreements(month) {
  return Object.entries(ACQUIRERS).map(([source, { rate, fixed, vat }]) => ({
    source,
    valid_from: `${month}-01`,
    rate_percent: (rate / 100).toFixed(2),
    fixed: (fixed / 100).toFixed(2),
    vat_percent: (vat / 100).toFixed(2),
  }))
}
