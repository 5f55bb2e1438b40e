import { envelopeOf } from "../../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../../v2-kit/openapi/operation"
import { transaction, verificationMeta } from "./answers"

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments/verify/{transaction_id}",
    id: "verifyTransaction",
    tag: "Verification",
    summary: "Verify a transaction",
    description: [
      "Whether an order is paid. Ask it from your server before you deliver, whatever the customer's browser or a",
      "notification said. On this operation a missing or invalid key is `UNAUTHORIZED`.",
    ].join(" "),
    answer: {
      description: "The transaction as it is now.",
      schema: () => envelopeOf(transaction(), verificationMeta()),
      example: {
        success: true,
        message: "Transaction found",
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
    },
    codes: ["TRANSACTION_NOT_FOUND"],
  },
]
