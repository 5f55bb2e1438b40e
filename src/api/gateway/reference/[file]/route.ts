import { gatewayOf, page } from "../../../page-kit/request"
import { answerReferenceFile } from "../../../reference/answer"

/** The files of the reference pages. */
export const GET = page({ file: /^[^/]+$/ }, (request, response) =>
  answerReferenceFile({ gateway: gatewayOf(request), request, response }, request.gatewayPage.params.file)
)
