/*
 * A shopper's browser without JavaScript: it keeps cookies per origin, submits forms as they are filled in, and follows
 * redirects and Refresh headers. It reads the pages of the gateway and of the stand-ins only.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Complaint } from "../lib/console.mjs"

const REDIRECTS_MAX = 10
const REFRESHES_MAX = 10
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"' }

function decoded(text) {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, number, name) =>
    number === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(number))
  )
}

/** A tag's attributes by name; one without a value is "". */
function attributesOf(tag) {
  const found = tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name, decoded(value ?? "")]))
}

function selected(options) {
  const all = [...options.matchAll(/<option([^>]*)>([^<]*)/g)].map(([, attributes, text]) => ({
    ...attributesOf(attributes),
    text: decoded(text),
  }))
  const one = all.find((option) => option.selected !== undefined) ?? all[0]
  return one?.value ?? one?.text ?? ""
}

/** The forms of a page: `{ action, fields }`, with the fields that a browser would send if nothing were changed. */
export function formsOf(html) {
  return [...html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes, content]) => {
    const inputs = [...content.matchAll(/<input([^>]*)>/g)].map(([, one]) => attributesOf(one))
    const selects = [...content.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)]
    const isSent = ({ name, type, checked }) => name && (!/^(radio|checkbox)$/.test(type) || checked !== undefined)
    return {
      action: attributesOf(attributes).action ?? "",
      fields: {
        ...Object.fromEntries(inputs.filter(isSent).map(({ name, value }) => [name, value ?? ""])),
        ...Object.fromEntries(selects.map(([, one, options]) => [attributesOf(one).name, selected(options)])),
      },
    }
  })
}

/** The addresses that a page's links lead to. */
export function linksOf(html) {
  return [...html.matchAll(/<a([^>]*)>/g)].map(([, attributes]) => attributesOf(attributes).href ?? "")
}

export class Shopper {
  url = ""
  html = ""
  #cookies = new Map()
  #fetch
  /** The Refresh header of the page that is shown, for example `3; url=/pay/ses_1?wait=1`. */
  #refresh = null

  /** `request`: sends each request, as `fetch` does. */
  constructor(request = fetch) {
    this.#fetch = request
  }

  open(url) {
    return this.#go("GET", new URL(url), null, "none")
  }

  /** Submits the page's first form with these fields changed. A pressed button is a field. */
  submit(changes = {}) {
    const [form] = formsOf(this.html)
    if (form === undefined) {
      throw new Complaint(`There is no form on ${this.url}:\n${this.html}`)
    }
    const target = new URL(form.action, this.url)
    const site = target.origin === new URL(this.url).origin ? "same-origin" : "cross-site"
    return this.#go("POST", target, { ...form.fields, ...changes }, site)
  }

  /** Lets the page load itself again as long as it wants to: the outcome of a payment may come a moment later. */
  async waitForOutcome() {
    for (let count = 0; this.#refresh !== null && count < REFRESHES_MAX; count++) {
      const [, seconds, url] = /^(\d+); *url=(.+)$/.exec(this.#refresh)
      await sleep(Number(seconds) * 1_000)
      await this.open(new URL(url, this.url))
    }
  }

  async #go(method, url, fields, site) {
    let [next, how, body, from] = [url, method, fields, site]
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      const response = await this.#request(how, next, body, from)
      const location = response.headers.get("location")
      if (location === null) {
        return this.#show(next, response)
      }
      const target = new URL(location, next)
      from = target.origin === next.origin ? from : "cross-site"
      ;[next, how, body] = [target, "GET", null]
    }
    throw new Complaint(`More than ${REDIRECTS_MAX} redirects from ${url}`)
  }

  async #show(url, response) {
    this.url = url.href
    this.html = await response.text()
    this.#refresh = response.headers.get("refresh")
    if (!response.ok) {
      throw new Complaint(`${url} answered ${response.status}:\n${this.html}`)
    }
  }

  async #request(method, url, fields, site) {
    // The gateway's cookies are Lax: a form from another site comes without them.
    const cookies = method === "POST" && site === "cross-site" ? null : this.#cookies.get(url.origin)
    const origin = site === "cross-site" ? new URL(this.url).origin : "null"
    const response = await this.#fetch(url, {
      method,
      redirect: "manual",
      headers: {
        "Sec-Fetch-Site": site,
        ...(cookies && { Cookie: cookies }),
        ...(method === "POST" && { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" }),
      },
      body: fields && new URLSearchParams(fields).toString(),
    })
    const kept = response.headers.getSetCookie().map((line) => line.split(";")[0])
    if (kept.length > 0) {
      this.#cookies.set(url.origin, kept.join("; "))
    }
    return response
  }
}
