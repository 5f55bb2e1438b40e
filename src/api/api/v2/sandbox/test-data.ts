import { formatAmount } from "../../../../modules/gateway/kernel/money"
import {
  SANDBOX_CARDS,
  SANDBOX_MOBILE_NUMBER,
  SANDBOX_OTP,
  SANDBOX_PIN,
  sandboxAmounts,
} from "../../../../modules/gateway/payments/acquirers/sandbox-rules"

/** What decides outcomes in the sandbox, as `GET /api/v2/sandbox` answers it: the rules' own tables. */
function testData() {
  return {
    cards: SANDBOX_CARDS,
    mobile_banking: {
      mobile_number: SANDBOX_MOBILE_NUMBER,
      otp: SANDBOX_OTP,
      pin: SANDBOX_PIN,
      otherwise: "AUTHENTICATION_FAILED",
    },
    amounts: sandboxAmounts().map(({ minor, outcome, refund }) => ({
      amount: formatAmount(minor),
      currency: "BDT",
      outcome,
      refund,
    })),
  }
}

export function testDataAnswer() {
  return { success: true, message: "What to pay with in the sandbox", data: testData(), meta: {} }
}
