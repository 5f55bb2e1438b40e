import { fitted } from "../../kernel/text/text"
import { isPageAddress } from "../http-call"
import type { Absent, AttemptRequest, Done, ExtraPayment, Redirect, Refused, Unknown } from "../port"
import { notConnected, type Reply } from "./client"
import { type Answer, declineOf, detailsOf, instrumentOf, moneyOf, text } from "./fields"

const MESSAGE_MAX_CHARS = 200
/** How long after our session's end a shopper may still be paying; how long SSLCommerz's page lives is not documented. */
const LATE_PAYMENT_MS = 86_400_000

const PAID = new Set(["VALID", "VALIDATED"])

/** Rows that no longer move money. A row per try: the shopper may pay after a failed one, so a paid row outweighs them. */
const FINAL = new Set(["FAILED", "CANCELLED", "EXPIRED", "UNATTEMPTED"])

type Asked = Pick<AttemptRequest, "key" | "amount" | "expires_at" | "now" | "references">

/** A payment that SSLCommerz reports as paid; `validated`: by the validation, which knows more than the list. */
export type Paid = { answer: Answer; validated: boolean }

export function readCreate(reply: Reply, plainOrigin: string | null): Redirect | Refused | Unknown {
  if (reply.kind === "not_reached") {
    return { result: "refused", code: "NETWORK_ERROR", message: reply.message, trouble: "network", retry: true }
  }
  if (reply.kind === "unclear") {
    return { result: "unknown", message: reply.message, trouble: reply.trouble }
  }
  const status = text(reply.body, "status")
  if (status === "FAILED") {
    return readRefusal(reply.body)
  }
  const url = pageUrl(text(reply.body, "GatewayPageURL"), plainOrigin)
  const sessionkey = text(reply.body, "sessionkey")
  if (status !== "SUCCESS" || url === null || sessionkey === "") {
    // Without the session key the attempt counts as one whose page nobody has seen, which is true here.
    return { result: "unknown", message: `SSLCommerz answered ${named(status)} without a page to pay on` }
  }
  return { result: "redirect", url, references: { sessionkey: fitted(sessionkey, 50) } }
}

function readRefusal(body: Answer): Refused {
  const why = fitted(text(body, "failedreason"), MESSAGE_MAX_CHARS, "no reason")
  return {
    result: "refused",
    code: "NETWORK_ERROR",
    message: `SSLCommerz refused to start the payment: ${why}`,
    reason: "method_unavailable",
    trouble: /store credential/i.test(why) ? "credentials" : "bad_request",
  }
}

/** The shopper is sent there, so only a web address; plain http only for a stand-in at that very origin. */
function pageUrl(value: string, plainOrigin: string | null): string | null {
  const plainHttp = plainOrigin !== null && URL.canParse(value) && new URL(value).origin === new URL(plainOrigin).origin
  return isPageAddress(value, { plainHttp }) ? new URL(value).href : null
}

/** A validation of this attempt that counts as paid; null for anything else, then the list decides. */
export function readValidation(key: string, reply: Reply | null): Paid | null {
  if (reply?.kind !== "answer" || notConnected(reply.body) !== null || !isPaid(reply.body)) {
    return null
  }
  return text(reply.body, "tran_id") === key ? { answer: reply.body, validated: true } : null
}

/** The paid rows of the attempt, or what the list says when there are none. */
export function readList(asked: Asked, reply: Reply): { paid: Paid[] } | Refused | Unknown | Absent {
  if (reply.kind !== "answer") {
    return { result: "unknown", message: reply.message, trouble: reply.trouble }
  }
  const refused = notConnected(reply.body)
  if (refused !== null) {
    return { result: "unknown", ...refused }
  }
  const rows = rowsOf(reply.body)
  if (rows === null) {
    return { result: "unknown", message: "SSLCommerz's list of transactions is not readable" }
  }
  if (rows.some((row) => text(row, "tran_id") !== asked.key)) {
    return { result: "unknown", message: "SSLCommerz reports a transaction of another tran_id" }
  }
  const paid = rows.filter(isPaid)
  if (paid.length > 0) {
    return { paid: paid.map((answer) => ({ answer, validated: false })) }
  }
  return rows.length === 0 ? nothingYet(asked) : notPaid(rows)
}

/** null: the rows are not what `no_of_trans_found` counts. Without rows `element` may be missing or no list. */
function rowsOf(body: Answer): Answer[] | null {
  const count = text(body, "no_of_trans_found")
  const rows: unknown[] = Array.isArray(body.element) ? body.element : []
  const objects = rows.filter((row): row is Answer => typeof row === "object" && row !== null && !Array.isArray(row))
  return /^[0-9]{1,3}$/.test(count) && Number(count) === rows.length && objects.length === rows.length ? objects : null
}

/**
 * No row yet. Without a session key nobody ever got the page's address, so nothing can move. With one the shopper may
 * still be on the page, or come back to it.
 */
function nothingYet({ references, expires_at, now }: Asked): Absent | Unknown | Refused {
  if (references.sessionkey === undefined) {
    return { result: "absent" }
  }
  return now.getTime() < expires_at.getTime() + LATE_PAYMENT_MS
    ? { result: "unknown", message: "The shopper has not paid on SSLCommerz's page yet", awaiting_shopper: true }
    : { result: "refused", code: "EXPIRED", message: "The shopper never paid on SSLCommerz's page" }
}

function notPaid(rows: readonly Answer[]): Refused | Unknown {
  const open = rows.find((row) => !FINAL.has(text(row, "status")))
  if (open !== undefined) {
    return { result: "unknown", message: `SSLCommerz reports ${named(text(open, "status"))}`, details: detailsOf(open) }
  }
  const ended = inOrder(rows)
  // A decline stays one, also when the shopper leaves the page afterwards.
  const last = ended.filter((row) => text(row, "status") === "FAILED").at(-1) ?? ended[ended.length - 1]
  const status = text(last, "status")
  const error = fitted(text(last, "error"), MESSAGE_MAX_CHARS)
  const message = `SSLCommerz reports ${status}${error === "" ? "" : `: ${error}`}`
  const decline =
    status === "FAILED" ? declineOf(error) : { code: status === "CANCELLED" ? ("CANCELLED" as const) : "EXPIRED" }
  return { result: "refused", ...decline, message, instrument: instrumentOf(last), details: detailsOf(last) }
}

/**
 * The payment of the attempt and the other, if the shopper has paid twice. Once reported, a payment stays the
 * attempt's; otherwise it is the earliest. null: another payment was reported before, and SSLCommerz shows it no longer.
 */
export function choose({ references }: Asked, all: readonly Paid[]): { first: Paid; extra: Paid[] } | null {
  const byBank = new Map<string, Paid>()
  for (const paid of all) {
    const bank = text(paid.answer, "bank_tran_id")
    if (!byBank.get(bank)?.validated) {
      byBank.set(bank, paid)
    }
  }
  const payments = [...byBank.values()]
  const order = inOrder(payments.map(({ answer }) => answer))
  const known = references.bank_tran_id
  const chosen = known === undefined ? order[0] : order.find((answer) => text(answer, "bank_tran_id") === known)
  const first = payments.find(({ answer }) => answer === chosen)
  return first === undefined ? null : { first, extra: payments.filter((paid) => paid !== first) }
}

export function doneOf(asked: Asked, { answer }: Paid, extra: readonly Paid[]): Done | Unknown {
  const money = moneyOf(answer, asked.amount)
  const reference = text(answer, "bank_tran_id")
  const details = detailsOf(answer)
  if (money === null || reference === "") {
    return { result: "unknown", message: "SSLCommerz reports a payment without amount or bank_tran_id", details }
  }
  const val_id = text(answer, "val_id")
  const months = /^[0-9]{1,2}$/.exec(text(answer, "emi_instalment"))?.[0]
  return {
    result: "done",
    reference,
    ...money,
    instrument: instrumentOf(answer),
    ...(text(answer, "risk_level") === "1" ? { risk: fitted(text(answer, "risk_title"), 50, "High risk") } : {}),
    ...(months === undefined
      ? {}
      : { instalments: { months: Number(months), bank_name: fitted(text(answer, "emi_issuer"), 100) || null } }),
    references: {
      bank_tran_id: reference,
      ...(val_id === "" ? {} : { val_id }),
    },
    details,
    ...(extra.length > 0 ? { extra: extra.flatMap((paid) => extraOf(asked, paid)) } : {}),
  }
}

/** A row without a readable amount is left out: nothing can be given back without one. */
function extraOf(asked: Asked, { answer }: Paid): ExtraPayment[] {
  const money = moneyOf(answer, asked.amount)
  const [reference, val_id] = [text(answer, "bank_tran_id"), text(answer, "val_id")]
  return money === null || money.amount <= 0n || reference === ""
    ? []
    : [{ reference, ...money, references: { bank_tran_id: reference, ...(val_id === "" ? {} : { val_id }) } }]
}

function isPaid(answer: Answer): boolean {
  return PAID.has(text(answer, "status"))
}

/** Oldest first; `tran_date` is `2026-05-08 15:53:49`, whose order as text is its order in time. */
function inOrder(rows: readonly Answer[]): Answer[] {
  return [...rows].sort((a, b) => compare(text(a, "tran_date"), text(b, "tran_date")))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function named(status: string): string {
  return status === "" ? "no status" : `"${fitted(status, 30)}"`
}
