import { createServer, request as httpRequest } from "node:http"

/**
 * A slow line to a gateway in another deployment: checkouts take `delayMs` longer to be opened, which is how long a
 * payment session lies in Medusa's database with what the shopper has sent.
 * @returns `{ url, close() }`; `url` has no path
 */
export async function openSlowWay(target, delayMs) {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const pass = () => {
      const onward = httpRequest({ hostname, port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers)
        answer.pipe(outgoing)
      })
      onward.on("error", () => outgoing.destroy())
      incoming.pipe(onward)
    }
    setTimeout(pass, method === "POST" && url.endsWith("/payments/checkout") ? delayMs : 0)
  })
  await new Promise((resolve) => server.listen(0, "localhost", resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://localhost:${server.address().port}`, close }
}
