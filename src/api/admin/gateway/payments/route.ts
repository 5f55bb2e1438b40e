import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { DEFAULT_PAYMENT_SERVICES } from "../../../../modules/gateway/merchants/payment-services"
import { listSchema, readList, several } from "../../../admin-kit/list"
import { orderNumbers } from "../../../admin-kit/present"
import { presentPayment } from "./resource"

const STATUSES = ["SUCCESS", "AUTHORIZED", "PENDING", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const
const ATTENTIONS = [
  "held",
  "flagged",
  "instalments",
  "unresolved",
  "unreturned",
  "capture_ending",
  "capture_missed",
  "capture_unresolved",
  "unreleased",
] as const
const query = listSchema(
  {
    status: several(STATUSES).optional(),
    paid_twice: several(["open"]).optional(),
    attention: several(ATTENTIONS).optional(),
    service: several(DEFAULT_PAYMENT_SERVICES.map(({ code }) => code)).optional(),
  },
  ["created_at", "amount"]
)

/**
 * Payments, newest first; `q` is an id, an order's number, an amount, the last four digits of a card or wallet, or the
 * beginning of an order_id, a name, an e-mail address or a phone (docs/decisions/19). `status=PENDING` leaves out what
 * `status=AUTHORIZED` finds.
 */
export const GET = listEndpoint({
  name: "payments",
  read: (sent) => ({ ...readList(query, sent), authorized_apart: true }),
  page: ({ gateway, tenant }, filter, window) => gateway.paymentList.list(tenant, filter, window),
  extra: ({ request }, rows) =>
    orderNumbers(
      request.scope,
      rows.map(({ medusa_order_id }) => medusa_order_id)
    ),
  present: (row, { tenant }, number) => ({
    ...presentPayment(row, tenant.now),
    medusa_order_number: number(row.medusa_order_id),
  }),
  columns: csvColumns(
    "id",
    "order_id",
    "order_number",
    "medusa_order_number",
    "status",
    "amount",
    "authorized_amount",
    "captured_amount",
    "capture_before",
    "charge_amount",
    "refunded_amount",
    "waiting_amount",
    "net_amount",
    "currency",
    "payment_method",
    "payment_service",
    "acquirer_reference",
    "charge_reference",
    "error_code",
    ["emi_bank", "emi.bank"],
    ["emi_months", "emi.months"],
    ["emi_total", "emi.total_with_fee"],
    ["emi_merchant_cost", "emi.merchant_cost"],
    "source",
    ["customer_name", "customer.name"],
    ["customer_email", "customer.email"],
    ["customer_phone", "customer.phone"],
    "created_at",
    "finished_at"
  ),
})
