/**
 * The configuration of the standalone relay: its sources, its options and their checks.
 *
 * <pre>
 *   flag ─▶ system property ─▶ environment ─▶ file ─▶ default      the first value wins
 *                              │
 *                              └─▶ Settings (text and origin of every option) ─▶ Configuration (immutable, checked)
 * </pre>
 *
 * <p>{@code Options} declares every option once: name, unit, default and meaning. The reference page is generated from it.
 */
@NullMarked
package dev.waybill.standalone.config;

import org.jspecify.annotations.NullMarked;
