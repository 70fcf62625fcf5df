/**
 * The relay as its own process. The library does not depend on it.
 *
 * <pre>
 *   cli                                        console                admin
 *   WaybillRelay ─▶ cli ─▶ service: pools, ───▶ the same by browser ─▶ config      settings and their checks
 *                    │     relays, probes,                         ├─▶ doctor      detects mistakes
 *                    │     metrics; SIGTERM                        ├─▶ topology    declared and actual entities
 *                    │     stops it                                ├─▶ cost        the cost of a load
 *                    └────────────────────────────────────────────▶├─▶ database    status and data of the outbox
 *                                                                  └─▶ servicebus  the only package with Azure SDK types
 * </pre>
 */
@NullMarked
package dev.waybill.standalone;

import org.jspecify.annotations.NullMarked;
