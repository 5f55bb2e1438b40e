// The texts read the browser's language when they are loaded; there is no browser here.
Object.defineProperty(globalThis, "navigator", { value: { language: "en-GB" }, configurable: true })
