const quoted = (text) => `'${String(text).replaceAll("'", "'\\''")}'`

/** The request again, for a shell: odd bytes of the body travel as base64. */
export function curlOf({ method, target, headers, body }, url) {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `-H ${quoted(`${name}: ${one}`)}`)
  )
  const head = `curl -sS -i --path-as-is --globoff -X ${method} ${lines.join(" ")}`
  const address = quoted(`${url}${target}`)
  return body === undefined
    ? `${head} ${address}`
    : `echo ${body.toString("base64")} | base64 -d | ${head} --data-binary @- ${address}`
}
