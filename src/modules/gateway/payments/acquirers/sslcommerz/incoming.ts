import type { Hint, Incoming, Notification } from "../port"
import { verified, type Fields } from "./signature"

const KEY = /^[a-z0-9]{30}$/
const VAL_ID = /^[A-Za-z0-9_-]{1,50}$/

const CLAIMS: ReadonlyMap<string, Hint["claims"]> = new Map([
  ["VALID", "paid"],
  ["VALIDATED", "paid"],
  ["FAILED", "not_paid"],
  ["UNATTEMPTED", "not_paid"],
  ["EXPIRED", "not_paid"],
  ["CANCELLED", "cancelled"],
])

/**
 * What the shopper's browser brings back: a form that SSLCommerz's page posts across sites, or a plain GET. It has the
 * fields of a notification, but anybody can write them.
 */
export function readReturn(incoming: Incoming): Hint | null {
  const posted = fieldsOf(incoming.body.toString("utf8"))
  return hintOf(posted.size > 0 ? posted : fieldsOf(incoming.target.split("?").slice(1).join("?")))
}

export function readNotification(
  incoming: Incoming,
  account: { store_id: string; store_passwd: string }
): Notification {
  const signed = verified(fieldsOf(incoming.body.toString("utf8")), account.store_passwd)
  if (typeof signed === "string") {
    return { result: "forged", why: signed }
  }
  // A store of SSLCommerz may serve other shops too, whose payments are none of ours.
  const hint = signed.get("store_id") === account.store_id ? hintOf(signed) : null
  return hint === null ? { result: "irrelevant" } : { result: "hint", hint }
}

/** `value_a` is the key once more, for the case that `tran_id` comes back changed. */
function hintOf(fields: Fields): Hint | null {
  const key = [fields.get("tran_id"), fields.get("value_a")].find((value) => KEY.test(value ?? ""))
  if (key === undefined) {
    return null
  }
  const val_id = fields.get("val_id") ?? ""
  return {
    about: "payment",
    key,
    ...(VAL_ID.test(val_id) ? { references: { val_id } } : {}),
    claims: CLAIMS.get(fields.get("status") ?? "") ?? "unclear",
  }
}

function fieldsOf(form: string): Fields {
  return new Map(new URLSearchParams(form))
}
