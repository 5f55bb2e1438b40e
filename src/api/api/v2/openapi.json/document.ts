import { openApiDocument } from "../../../v2-kit/openapi/document"
import type { Json } from "../../../v2-kit/openapi/schemas"
import type { ContractRoute } from "../../../v2-kit/types"
import { documentedEvents } from "../events/resource"

const DESCRIPTION = `
Take payments, bill on a schedule, and give money back. Every operation is for servers: keep the key out of browsers and apps.

**Requests.** Bodies are JSON with \`Content-Type: application/json\`. An optional member may be left out, \`null\` or, for text, empty: all mean the same. Where an object may be empty, \`[]\` is taken for it. Members that are not documented are ignored. Amounts may be text or numbers.

**Answers.** Times are ISO 8601 in UTC. Amounts are text, so that no digit is lost. A client should ignore members that it does not know: new ones may come without notice.

**Errors.** The HTTP status, and \`error.code\` for programs. When one member is wrong, the code is that member's; when several are, it is \`VALIDATION_ERROR\`, and \`error.details\` names them: the first 20, with the number of the others in \`error.details_omitted\`. A list that is too long is refused before its entries are looked at. Plans and subscriptions answer the same in two shapes at once.

**Repeating a request.** Send an \`Idempotency-Key\` with POST and PATCH, and the same one again after a time-out or an answer of 500 and above: what was done once is not done twice.

**Limits.** \`X-RateLimit-*\` headers count down. Beyond the limit the answer is 429, with the seconds to wait in \`Retry-After\`.

**Versions.** The version is part of the base URL. Within a version, changes only add.
`.trim()

let made: Promise<Json> | undefined

/** The document of these operations, made once. Whoever serves it puts in the servers. */
export function document(routes: readonly ContractRoute[]): Promise<Json> {
  made ??= openApiDocument({
    info: {
      title: "Payment gateway",
      version: "2.0.0",
      summary: "Hosted checkout, verification, refunds, subscriptions and webhooks.",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    routes,
    events: documentedEvents(),
  })
  return made
}
