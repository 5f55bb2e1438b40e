import { invalid, StripeFault } from "./form.mjs"

/** What an account is charged for a dispute, whoever wins it. */
const FEE = 1_500
const DAY = 86_400

/**
 * The bank disputes a payment; an inquiry (`isInquiry`) withdraws no money yet, and one that was prevented
 * (`isPrevented`) none at all. Answers the dispute.
 */
export async function openDispute(account, intent_id, options = {}) {
  const { amount, reason = "fraudulent", isPrevented = false, isInquiry = isPrevented } = options
  const { book } = account
  const intent = book.find("payment_intents", intent_id, "intent", "payment_intent")
  const charge = book.charges.get(intent.latest_charge)
  const dispute = {
    id: book.id("du"),
    object: "dispute",
    amount: amount ?? charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: account.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { uncategorized_text: null, uncategorized_file: null, receipt: null },
    evidence_details: {
      due_by: account.now() + 7 * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: isInquiry,
    livemode: account.live,
    metadata: {},
    payment_intent: intent.id,
    reason,
    status: isPrevented ? "prevented" : isInquiry ? "warning_needs_response" : "needs_response",
  }
  book.disputes.set(dispute.id, dispute)
  charge.disputed = true
  await account.notify("charge.dispute.created", dispute)
  if (!isInquiry) {
    await withdraw(account, dispute)
  }
  return dispute
}

async function withdraw(account, dispute) {
  dispute.balance_transactions.push(moved(account, dispute, "dispute", -dispute.amount, FEE))
  await account.notify("charge.dispute.funds_withdrawn", dispute)
}

function moved({ book }, { id: source, currency }, category, amount, fee) {
  return book.move({ amount, fee, currency, category, source, status: "available", type: "adjustment" })
}

/** The bank makes a dispute of an inquiry. */
export async function escalateDispute(account, id) {
  const dispute = account.book.disputes.get(id)
  Object.assign(dispute, { status: "needs_response", is_charge_refundable: false })
  await account.notify("charge.dispute.updated", dispute)
  await withdraw(account, dispute)
}

/** The bank decides: "won", "lost" or, of an inquiry, "warning_closed". A won dispute brings its money back. */
export async function decideDispute(account, id, status, { feeReturned = false } = {}) {
  const dispute = account.book.disputes.get(id)
  dispute.status = status
  if (status === "won") {
    dispute.balance_transactions.push(
      moved(account, dispute, "dispute_reversal", dispute.amount, feeReturned ? -FEE : 0)
    )
    await account.notify("charge.dispute.funds_reinstated", dispute)
  }
  await account.notify("charge.dispute.closed", dispute)
}

export async function updateDispute(account, { evidence = {}, submit = true }, id) {
  const dispute = account.book.find("disputes", id, "dispute", "dispute")
  const isOpen = ["needs_response", "warning_needs_response"].includes(dispute.status)
  if (!isOpen || dispute.evidence_details.submission_count > 0) {
    throw invalid("This dispute has already been submitted to the bank, or is closed.", { param: "evidence" })
  }
  for (const [name, file] of Object.entries(evidence).filter(([, value]) => String(value).startsWith("file_"))) {
    account.book.find("files", file, `evidence[${name}]`, "file upload")
  }
  Object.assign(dispute.evidence, evidence)
  dispute.evidence_details.has_evidence = true
  if (submit) {
    dispute.evidence_details.submission_count = 1
    dispute.status = dispute.status === "needs_response" ? "under_review" : "warning_under_review"
  }
  await account.notify("charge.dispute.updated", dispute)
  return dispute
}

export async function closeDispute(account, _params, id) {
  const dispute = account.book.find("disputes", id, "dispute", "dispute")
  if (dispute.status !== "needs_response") {
    throw new StripeFault(400, { message: `This dispute cannot be closed: it is ${dispute.status}.` })
  }
  dispute.status = "lost"
  await account.notify("charge.dispute.closed", dispute)
  return dispute
}

/** At most 5 MB for evidence, of the types that banks take. */
export function createFile({ book, now }, { purpose, file }) {
  if (!["application/pdf", "image/jpeg", "image/png"].includes(file.type)) {
    throw invalid(`Invalid file: we don't accept ${file.type} for ${purpose}.`, { param: "file" })
  }
  const id = book.id("file")
  const { type, name: filename, data } = file
  const stored = { id, object: "file", created: now(), filename, purpose, size: data.length, type: type.split("/")[1] }
  book.files.set(id, { ...stored, data: data.toString("base64") })
  return {
    ...stored,
    title: null,
    url: null,
    links: { object: "list", data: [], has_more: false, url: "/v1/file_links" },
  }
}

/** The parts of `multipart/form-data`: text as it is, a file with its name and type. */
export function parseMultipart(type, bytes) {
  const boundary = /boundary=("?)([^";]+)\1/.exec(type)?.[2]
  if (boundary === undefined) {
    throw invalid("The multipart body has no boundary")
  }
  const form = {}
  const text = bytes.toString("latin1")
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const [head, ...rest] = part.replace(/^\r\n/, "").split("\r\n\r\n")
    const body = rest.join("\r\n\r\n").replace(/\r\n$/, "")
    const name = /name="([^"]*)"/.exec(head)?.[1]
    const filename = /filename="([^"]*)"/.exec(head)?.[1]
    const kind = /content-type: *(\S+)/i.exec(head)?.[1]
    form[name] = filename === undefined ? body : { name: filename, type: kind ?? "", data: Buffer.from(body, "latin1") }
  }
  return form
}
