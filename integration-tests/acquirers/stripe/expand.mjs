import { invalid } from "./form.mjs"

const KINDS = {
  payment_intent: "payment_intents",
  latest_charge: "charges",
  charge: "charges",
  balance_transaction: "balance_transactions",
  customer: "customers",
  payment_method: "payment_methods",
}
/** What a balance transaction is about, by the beginning of its id. */
const SOURCES = { ch: "charges", re: "refunds", du: "disputes", po: "payouts" }
const MAX_DEPTH = 4

/** A copy with the related objects of `paths` whole instead of by id. */
export function expandAll(book, object, paths = []) {
  const copy = structuredClone(object)
  for (const path of paths) {
    const names = path.split(".")
    if (names.length > MAX_DEPTH) {
      throw invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property.`, { param: "expand[0]" })
    }
    expandOne(book, copy, names, path)
  }
  return copy
}

function expandOne(book, object, [name, ...rest], path) {
  if (object.object === "list") {
    if (name !== "data") {
      throw notExpandable(path)
    }
    object.data.forEach((one) => expandOne(book, one, rest, path))
    return
  }
  const kind = name === "source" ? SOURCES[String(object[name]).split("_")[0]] : KINDS[name]
  if ((kind === undefined && name !== "source") || !(name in object)) {
    throw notExpandable(path)
  }
  if (typeof object[name] === "string") {
    object[name] = structuredClone(book[kind].get(object[name]))
  }
  if (rest.length > 0 && object[name] !== null) {
    expandOne(book, object[name], rest, path)
  }
}

function notExpandable(path) {
  return invalid(`This property cannot be expanded (${path}).`, { param: "expand[0]" })
}
