import type { IncomingMessage, ServerResponse } from "node:http"
import { areaOf } from "../api/areas"
import type { Area } from "../api/page-kit/area"
import type { ProcessServices } from "../api/process-services"
import { sendFault } from "../api/compress"
import { requestIdOf } from "../api/v2-kit/exchange"
import type { Door } from "../modules/gateway/http-server/turns"
import type { AccessLog } from "./access-log"
import { admittedByHost } from "./hooks"

/** A request; Express keeps its whole target in `originalUrl`. */
type Incoming = IncomingMessage & { originalUrl?: string }

/** Answers what is the gateway's on the store's http server, before Express sees it. */
export class FrontDoor implements Door {
  private readonly underWay = new Set<Promise<void>>()

  constructor(
    private readonly services: ProcessServices,
    private readonly log: Pick<AccessLog, "follow">
  ) {}

  takes(request: IncomingMessage, response: ServerResponse): boolean {
    const area = areaOf(request.url ?? "/")
    if (area === null) {
      return false
    }
    const requestId = requestIdOf(request.headers["x-request-id"])
    if (area.isLogged) {
      this.log.follow(request, response, requestId)
    }
    this.answer(area, request, response, requestId)
    return true
  }

  /** Answers a request in an area. It writes no line of an access log: Express has one of its own. */
  answer(area: Area, request: Incoming, response: ServerResponse, requestId: string): void {
    const one = this.answered(area, request, response, requestId).finally(() => this.underWay.delete(one))
    this.underWay.add(one)
  }

  /** Work goes on when its client has left: a process that ends waits for it, so that no transaction is cut off. */
  settled(): Promise<unknown> {
    return Promise.allSettled(this.underWay)
  }

  private async answered(area: Area, request: Incoming, response: ServerResponse, requestId: string): Promise<void> {
    const { services } = this
    const target = request.originalUrl ?? request.url ?? "/"
    try {
      if (await admittedByHost(request, response)) {
        await area.answer({ services, request, response, target, requestId })
      }
    } catch (error) {
      if (response.headersSent) {
        services.logger.error(`gateway: request ${requestId} failed: ${(error as Error)?.stack ?? String(error)}`)
        response.destroy()
      } else {
        sendFault(response, services.logger, error)
      }
    }
  }
}
