import { randomBytes } from "node:crypto"
import { newRow } from "./rows.mjs"
import { decimal, poisha, refuseCreate, refuseRefund } from "./requests.mjs"

export const CREATE = "/gwprocess/v4/api.php"
export const VALIDATE = "/validator/api/validationserverAPI.php"
export const TRANSACTIONS = "/validator/api/merchantTransIDvalidationAPI.php"

/**
 * Which call a request is, and what it does. SSLCommerz reads the query of a POST as well: its own Node client sends
 * its questions that way.
 */
export function answerCall(standIn, method, path, fields) {
  if (path === CREATE) {
    return { call: "create", act: (fault) => create(standIn, method, fields, fault) }
  }
  const [call, answer] =
    path === VALIDATE
      ? ["validate", validate]
      : fields.refund_amount !== undefined || fields.bank_tran_id !== undefined
        ? ["refund", refund]
        : fields.refund_ref_id !== undefined
          ? ["refund_status", refundStatus]
          : ["query", query]
  return { call, act: async (fault) => refuseCredentials(standIn, fields) ?? answer(standIn, fields, fault) }
}

function refuseCredentials({ store_id, store_passwd }, fields) {
  if (!fields.store_id || !fields.store_passwd) {
    return { APIConnect: "INVALID_REQUEST" }
  }
  return fields.store_id === store_id && fields.store_passwd === store_passwd ? null : { APIConnect: "FAILED" }
}

async function create(standIn, method, fields, fault) {
  const { book } = standIn
  const failed = (failedreason) => ({ status: "FAILED", failedreason, sessionkey: "", GatewayPageURL: "" })
  if (method !== "POST" || refuseCredentials(standIn, fields) !== null) {
    return failed("Store Credential Error Or Store is De-active")
  }
  const reason =
    fault?.name === "failed"
      ? fault.reason
      : refuseCreate(fields, new Set(book.sessions.map(({ form }) => form.tran_id)))
  if (reason !== null) {
    return failed(reason)
  }
  const form = without(fields, "store_id", "store_passwd")
  const session = { sessionkey: randomBytes(16).toString("hex").toUpperCase(), form, ended: false }
  book.sessions.push(session)
  if (fault?.name === "ipn_first") {
    await standIn.notify(session, newRow(session, "FAILED", { error: "too early" }))
  }
  const page =
    fault?.name === "no_page" ? "" : fault?.name === "other_page" ? fault.url : standIn.pageUrl(session.sessionkey)
  return {
    status: "SUCCESS",
    failedreason: "",
    sessionkey: session.sessionkey,
    gw: { visa: "city_visa", master: "city_master", amex: "city_amex", mobilebanking: "bkash" },
    redirectGatewayURL: page,
    GatewayPageURL: page,
    storeBanner: "",
    storeLogo: "",
    desc: [],
  }
}

function validate({ book }, { val_id }, fault) {
  const row = val_id ? book.transactions.find((one) => one.val_id === val_id) : undefined
  if (row === undefined) {
    return { status: "INVALID_TRANSACTION", APIConnect: "DONE" }
  }
  const status = row.validated_on === "" ? "VALID" : "VALIDATED"
  row.validated_on ||= row.tran_date
  return changed({ ...row, status, APIConnect: "DONE", gw_version: "4.00" }, fault)
}

function query({ book }, { tran_id, sessionkey }, fault) {
  if (!tran_id && !sessionkey) {
    return { APIConnect: "INVALID_REQUEST" }
  }
  const session = book.sessions.find((one) => (tran_id ? one.form.tran_id === tran_id : one.sessionkey === sessionkey))
  const rows = book.transactions.filter((row) => row.tran_id === session?.form.tran_id).map(listed)
  if (fault?.name === "pending_row") {
    rows.push(newRow(session, "PENDING"))
  }
  const element = fault?.name === "no_rows" ? [] : rows.map((row) => changed(row, fault))
  if (sessionkey) {
    return {
      ...(element.at(-1) ?? { status: "PENDING", tran_id: session?.form.tran_id ?? "" }),
      sessionkey,
      APIConnect: "DONE",
    }
  }
  const no_of_trans_found = fault?.name === "count" ? fault.value : element.length
  return { APIConnect: "DONE", no_of_trans_found, element }
}

/** The list knows whether a payment has been validated, and leaves the emi issuer to the validation. */
function listed(row) {
  return {
    ...without(row, "emi_issuer"),
    status: row.status === "VALID" && row.validated_on !== "" ? "VALIDATED" : row.status,
  }
}

function changed(row, fault) {
  return fault?.name === "field" ? { ...row, [fault.field]: fault.value } : row
}

function refund({ book }, fields, fault) {
  const { bank_tran_id, refund_trans_id, refund_amount } = fields
  const payment = book.transactions.find((row) => row.status === "VALID" && row.bank_tran_id === bank_tran_id)
  const answer = (rest) => ({ APIConnect: "DONE", bank_tran_id, trans_id: payment?.tran_id ?? "", ...rest })
  const failed = (errorReason) => answer({ refund_ref_id: "", status: "failed", errorReason })
  if (fault?.name === "failed" || fault?.name === "ip_refused") {
    return failed(fault.name === "failed" ? fault.reason : "Your IP is not registered")
  }
  const known = book.refunds.find((one) => one.refund_trans_id === refund_trans_id)
  if (known !== undefined) {
    return known.bank_tran_id === bank_tran_id && known.poisha === String(poisha(refund_amount))
      ? answer({
          ...(fault?.name === "processing_without_reference" ? {} : { refund_ref_id: known.refund_ref_id }),
          status: "processing",
          errorReason: "",
        })
      : failed("refund_trans_id is not unique")
  }
  const reason = refuseRefund(fields, refundable(book, payment))
  if (reason !== null) {
    return failed(reason)
  }
  const refund_ref_id = randomBytes(8).toString("hex")
  const initiated_on = payment.tran_date
  book.refunds.push({
    refund_ref_id,
    refund_trans_id,
    bank_tran_id,
    tran_id: payment.tran_id,
    poisha: String(poisha(refund_amount)),
    amount: decimal(poisha(refund_amount)),
    initiated_on,
    refunded_on: "",
    status: "processing",
  })
  return answer({
    refund_ref_id: fault?.name === "other_reference" ? fault.refund_ref_id : refund_ref_id,
    status: "success",
    errorReason: "",
  })
}

/** Poisha that may still be given back; null: never paid. */
function refundable({ refunds }, payment) {
  if (payment === undefined) {
    return null
  }
  return refunds
    .filter((one) => one.bank_tran_id === payment.bank_tran_id && one.status !== "cancelled")
    .reduce((rest, one) => rest - BigInt(one.poisha), poisha(payment.amount))
}

function refundStatus({ book }, { refund_ref_id }, fault) {
  const refund = book.refunds.find((one) => one.refund_ref_id === refund_ref_id)
  if (refund === undefined) {
    return { APIConnect: "DONE", refund_ref_id, status: "", errorReason: "refund_ref_id is unknown" }
  }
  const { bank_tran_id, tran_id, initiated_on, refunded_on } = refund
  const status = fault?.name === "word" ? fault.status : refund.status
  return {
    APIConnect: "DONE",
    bank_tran_id,
    tran_id,
    refund_ref_id,
    initiated_on,
    refunded_on,
    status,
    errorReason: "",
  }
}

export function without(fields, ...names) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}
