import type prometheus from "prom-client"

/*
 * The classes in use, from their own files: the package's index also loads its default metrics and its gateway to a
 * Prometheus that does not ask.
 */
export const Counter = require("prom-client/lib/counter") as typeof prometheus.Counter
export const Gauge = require("prom-client/lib/gauge") as typeof prometheus.Gauge
export const Histogram = require("prom-client/lib/histogram") as typeof prometheus.Histogram
export const Registry = require("prom-client/lib/registry") as typeof prometheus.Registry
