import { createHash } from "node:crypto"
import { openEndpoint } from "../../../v2-kit/open-endpoint"
import { testDataAnswer } from "./test-data"

const body = JSON.stringify(testDataAnswer())
const etag = `W/"${createHash("sha256").update(body).digest("base64url")}"`

/** Test cards, codes and amounts. Needs no key, and a production deployment has it too: it is about the sandbox. */
export const GET = openEndpoint(() => Promise.resolve({ etag, body: () => body }))
