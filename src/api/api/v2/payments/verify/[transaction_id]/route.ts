import { GatewayError } from "../../../../../../modules/gateway/kernel/errors"
import { operation } from "../../../../../v2-kit/operation"
import { presentVerification, transaction, verificationMeta } from "./resource"
import { envelopedWithMeta } from "../../../../../v2-kit/answers"

/** The status of a transaction (contract 4.3). One statement reads it together with the key's owner. */
export const GET = operation({
  id: "verifyTransaction",
  tag: "Verification",
  summary: "Verify a transaction",
  description: [
    "Whether an order is paid. Ask it from your server before you deliver, whatever the customer's browser or a",
    "notification said. On this operation a missing or invalid key is `UNAUTHORIZED`.",
  ].join(" "),
  scope: "payments:read",
  answer: envelopedWithMeta({
    message: "Transaction found",
    data: transaction,
    meta: verificationMeta,
    description: "The transaction as it is now.",
    example: {
      data: {
        transaction_id: "txn0123456789abcdef0123456789abcdef",
        order_id: "order-1001",
        verified: true,
        status: "SUCCESS",
        amount: "1250.5000",
        currency: "BDT",
        charge_amount: "31.2600",
        payment_method: "CARD",
        payment_reference_id: "sbx_4f1f2d",
        customer: {
          name: "Rahima Khatun",
          email: "rahima@example.com",
          phone: "+8801712345678",
          address: "House 7, Road 3, Dhanmondi",
          city: "Dhaka",
          postcode: "1205",
          country: "Bangladesh",
          metadata: {},
        },
      },
      meta: { timestamp: "2027-03-01T10:04:12.000Z", status_code: 200 },
    },
  }),
  codes: ["TRANSACTION_NOT_FOUND"],
  lookUp:
    (gateway, { transaction_id }) =>
    (keyHash, real) =>
      gateway.transactions.verify(keyHash, real, transaction_id),
  run: async ({ caller }) => {
    if (caller.transaction === null) {
      throw new GatewayError("TRANSACTION_NOT_FOUND")
    }
    return presentVerification(caller.transaction, caller.now)
  },
})
