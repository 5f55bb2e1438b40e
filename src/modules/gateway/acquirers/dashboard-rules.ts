/**
 * What an acquirer's dashboard calls those references that somebody looks up there; in English, as the dashboards are. The
 * others are the adapter's own notes, and mean nothing to anybody else.
 */
const DASHBOARDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bkash: { paymentID: "Payment ID", trxID: "TrxID", agreementID: "Agreement ID", refundTrxId: "Refund TrxID" },
  nagad: {
    paymentReferenceId: "Payment Reference ID",
    orderId: "Order ID",
    issuerPaymentRefNo: "Issuer Payment Ref No.",
  },
  sslcommerz: {
    bank_tran_id: "Bank Transaction ID",
    val_id: "Validation ID",
    sessionkey: "Session Key",
    refund_ref_id: "Refund Reference ID",
  },
  shurjopay: { sp_order_id: "shurjoPay Order ID", order_id: "Customer Order ID", bank_trx_id: "Bank Trx ID" },
  stripe: {
    payment_intent: "Payment ID",
    charge: "Charge ID",
    refund_id: "Refund ID",
    session_id: "Checkout Session ID",
    customer: "Customer ID",
  },
}

/**
 * What somebody looks up in an acquirer's dashboard, under the names that stand there. Of an acquirer that a host has
 * added nobody knows which references its dashboard has: it shows all of them.
 */
export function dashboardNumbers(
  acquirer: string | null,
  references: Readonly<Record<string, string>>
): { name: string; value: string }[] {
  if (acquirer === null || !Object.hasOwn(DASHBOARDS, acquirer)) {
    return Object.entries(references).map(([name, value]) => ({ name: name.replaceAll("_", " "), value }))
  }
  return Object.entries(DASHBOARDS[acquirer]).flatMap(([key, name]) =>
    Object.hasOwn(references, key) ? { name, value: references[key] } : []
  )
}
