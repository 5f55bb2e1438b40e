import { createHash } from "node:crypto"
import { enveloped } from "../../../v2-kit/answers"
import { openOperation } from "../../../v2-kit/operation"
import { sandboxTestData, testData } from "./resource"

const answer = enveloped({
  message: "What to pay with in the sandbox",
  data: sandboxTestData,
  description: "Everything that decides an outcome in the sandbox.",
  example: testData(),
})
const body = JSON.stringify(answer.of(testData()).body)
const etag = `W/"${createHash("sha256").update(body).digest("base64url")}"`

/** A production deployment has it too: it is about the sandbox. */
export const GET = openOperation({
  id: "getSandbox",
  tag: "Sandbox",
  summary: "Get the test cards, codes and amounts",
  description: "Needs no key. What to pay with, and how each payment and its refund end.",
  answer,
  page: () => Promise.resolve({ etag, body: () => body }),
})
